import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repositoryFolder } from '../scripts/matrix/child.js';
import { largest } from '../scripts/matrix/combinations.js';
import { emit } from '../scripts/matrix/emit.js';
import { offers } from '../scripts/matrix/offers.js';
import { fromSource, type StartedService, startService } from '../scripts/matrix/start-service.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';
import { answersTo } from './support/raw-answers.js';
import { exchanges } from './support/raw-exchanges.js';

const parent = join(repositoryFolder, 'playground/frameworks');
const catalog = readCatalog(templatesFolder);
/** By framework. */
const services = new Map<string, StartedService>();

beforeAll(async () => {
  const starting = offers(catalog).framework.map(async (framework) => {
    const everything = largest(catalog);
    const named = { ...everything, framework, name: `${framework}-answers` };
    const folder = await emit(named, parent);
    const env = { NODE_ENV: 'test', BASE_URL: 'http://localhost:3000', LOG_LEVEL: 'info' };
    return [framework, await startService(folder, { command: fromSource, env })] as const;
  });
  for (const [framework, service] of await Promise.all(starting)) services.set(framework, service);
});

afterAll(async () => {
  for (const service of services.values()) await service.stop();
  rmSync(parent, { recursive: true });
});

test.each(Object.entries(exchanges))(
  'all frameworks answer alike, byte for byte: %s',
  async (_name, texts) => {
    for (const text of texts) {
      const [expected = '', ...answers] = await Promise.all(
        [...services.values()].map(({ url }) => answersTo(url, text)),
      );
      expect(expected, text.slice(0, 200)).toMatch(/^HTTP\/1\.1 \d{3} /);
      for (const answer of answers) expect(answer, text.slice(0, 200)).toBe(expected);
    }
  },
);
