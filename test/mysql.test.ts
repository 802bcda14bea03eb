import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { passesItsBaseTestsOnMysql } from '../scripts/matrix/checks/own-code.js';
import { largest } from '../scripts/matrix/combinations.js';
import { emit } from '../scripts/matrix/emit.js';
import { parallelism } from '../scripts/matrix/runs.js';
import { mysql, mysql8 } from '../scripts/services/mysql.js';
import { listensOn } from '../scripts/services/service.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';

// The tests that CI may leave out: docs/decisions/0017-mysql-beside-mariadb.md.
for (const [argument, { name, port, url }] of Object.entries({ mysql, mysql8 })) {
  const isRunning = await listensOn(port);
  if (!isRunning) {
    console.warn(`NOT TESTED on ${name} itself: \`npm run services -- ${argument}\` starts it`);
  }
  test.runIf(isRunning)(`a service holds on ${name} itself, if it runs`, async () => {
    const emitted = `on-${argument}-itself`;
    const choices = { ...largest(readCatalog(templatesFolder)), database: 'mysql', name: emitted };
    const folder = await emit(choices);
    const { workers } = parallelism();
    expect(await passesItsBaseTestsOnMysql({ folder, workers }, url)).toBeUndefined();
    rmSync(folder, { recursive: true });
  });
}
