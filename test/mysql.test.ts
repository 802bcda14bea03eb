import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { passesItsBaseTestsOnMysql } from '../scripts/matrix/checks/own-code.js';
import { largest } from '../scripts/matrix/combinations.js';
import { emit } from '../scripts/matrix/emit.js';
import { parallelism } from '../scripts/matrix/runs.js';
import { mysql } from '../scripts/services/mysql.js';
import { listensOn } from '../scripts/services/service.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';

// The one test that CI may leave out: docs/decisions/0017-mysql-beside-mariadb.md.
const isRunning = await listensOn(mysql.port);
if (!isRunning) console.warn('NOT TESTED on MySQL itself: `npm run services -- mysql` starts it');

test.runIf(isRunning)('a service holds on MySQL itself, if it runs', async () => {
  const name = 'on-mysql-itself';
  const combination = { ...largest(readCatalog(templatesFolder)), database: 'mysql', name };
  const folder = await emit(combination);
  const { workers } = parallelism();
  expect(await passesItsBaseTestsOnMysql({ folder, workers })).toBeUndefined();
  rmSync(folder, { recursive: true });
});
