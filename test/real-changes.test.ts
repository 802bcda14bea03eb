import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { problemOf, repositoryFolder } from '../scripts/matrix/child.js';
import { largest, smallest } from '../scripts/matrix/combinations.js';
import { compilerProblem } from '../scripts/matrix/compiler.js';
import { emit } from '../scripts/matrix/emit.js';
import { chosenNames } from '../src/answers/change-layers.js';
import { layersOf } from '../src/catalog/catalog.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';
import { runCli } from './support/cli.js';
import { clock } from './support/emitted-paths.js';

/** Changed answers with the real templates: tables, frameworks, and what `doctor` reports about a service. */
const catalog = readCatalog(templatesFolder);
// Within the repository, so that its packages are found from there.
const place = join(repositoryFolder, 'playground/real-changes');
const databases = layersOf(catalog, 'database').map(({ name }) => name);
const frameworks = layersOf(catalog, 'framework').map(({ name }) => name);

afterAll(() => rmSync(place, { recursive: true, force: true }));

async function run(folder: string, args: string[], exitCode = 0): Promise<string> {
  // The test runner has a variable of this name for itself.
  const ended = await runCli([...args, '--json'], { cwd: folder, env: { BASE_URL: '' } });
  if (ended.exitCode !== exitCode) {
    throw new Error(`${args.join(' ')}: ${ended.exitCode}\n${ended.stderr}`);
  }
  return ended.stdout;
}

/** A test for an emitted project without `webhooks`, whose last migration drops the tables of `tools`. */
const keepsRows = `import { expect, test } from 'vitest';
import { migrateDown, migrateToLatest } from '../src/db/migrate.js';
import { openEmptyDatabase } from './service.js';

test('rows that refer to a webhook stay', async () => {
  const { db } = await openEmptyDatabase();
  await migrateToLatest(db);
  await migrateDown(db);
  const made = { id: '1', created_at: 1 };
  const webhook = { ...made, events: '[]', allowed_actions: '[]', updated_at: 1 };
  const refers = { ...made, event_id: '1', webhook_id: '1', state: 'waiting' };
  await db.insertInto('webhook_configs').values(webhook).execute();
  await db.insertInto('webhook_events').values({ ...made, name: 'a', body: '{}' }).execute();
  const delivery = { ...refers, attempts: 0, next_at: 1, leased_until: 0 };
  await db.insertInto('webhook_deliveries').values(delivery).execute();
  await migrateToLatest(db);
  expect(await db.selectFrom('webhook_deliveries').selectAll().execute()).toHaveLength(1);
});
`;

describe.concurrent('tables of layers that go and come again', () => {
  const everything = largest(catalog);
  const least = chosenNames(catalog, smallest(catalog));
  const optional = ['method', 'feature'] as const;
  const others = optional
    .flatMap((group) => layersOf(catalog, group).map(({ name }) => name))
    .filter((name) => !least.has(name));

  test.each(databases)(
    'on %s: every migration runs, in both directions, and nothing is left',
    async (database) => {
      const folder = await emit({ ...everything, name: database, database }, place);
      await run(folder, ['remove', ...others, '--drop-data', '--yes', '--allow-dirty']);
      // Creating a table that still exists would be an error: so both have run.
      await run(folder, ['add', ...others, '--allow-dirty']);
      const made = readdirSync(join(folder, 'migrations')).filter((name) =>
        /_(drop|restore)_/.test(name),
      );
      expect(made).toHaveLength(2);
      // The text is the same for every database.
      if (database === everything.database) {
        expect(await compilerProblem(folder)).toBeUndefined();
        expect(await problemOf(folder, ['biome', 'check', 'migrations'])).toBeUndefined();
      }
      const [tests, title] = ['test/process.test.ts', 'can be taken back to the last table'];
      expect(readFileSync(join(folder, tests), 'utf8')).toContain(title);
      expect(await problemOf(folder, ['vitest', 'run', tests, '-t', title])).toBeUndefined();
    },
  );

  test.each(databases)('on %s: a dropped table takes no rows of others along', async (database) => {
    const features = ['webhooks', 'tools', 'roles'];
    const combination = { ...smallest(catalog), name: `${database}-shared`, database, features };
    const folder = await emit(combination, place);
    await run(folder, ['remove', 'webhooks', '--allow-dirty']);
    await run(folder, ['remove', 'tools', '--drop-data', '--yes', '--allow-dirty']);
    writeFileSync(join(folder, 'test/kept.test.ts'), keepsRows);
    expect(await problemOf(folder, ['vitest', 'run', 'test/kept.test.ts'])).toBeUndefined();
  });
});

describe('change', () => {
  test('switches an edited project to another framework and database, and it compiles', async () => {
    const from = { ...smallest(catalog), name: 'changed' };
    const folder = await emit(from, place);
    appendFileSync(join(folder, clock), '\nexport const noon = 12;\n');
    const [framework = ''] = frameworks.filter((name) => name !== from.framework);
    const [database = ''] = databases.filter((name) => name !== from.database);
    const args = ['change', '--framework', framework, '--database', database, '--allow-dirty'];
    await run(folder, args);
    const { stdout } = await runCli(['diff'], { cwd: folder });
    expect(stdout.match(/^diff --git .*/gm)).toEqual([`diff --git a/${clock} b/${clock}`]);
    expect(await compilerProblem(folder)).toBeUndefined();
  });
});

describe('doctor asks the service itself', () => {
  test('about its variables, its database and its migrations', async () => {
    const folder = await emit({ ...smallest(catalog), name: 'examined' }, place);
    const env = join(folder, '.env');
    const told = async (exitCode: number) => {
      const findings: { about: string; severity: string; message: string }[] = JSON.parse(
        await run(folder, ['doctor'], exitCode),
      ).findings;
      const ofService = ['configuration', 'database', 'migrations'];
      return findings
        .filter(({ about }) => ofService.includes(about))
        .map(({ about, severity, message }) => `${severity} ${about}: ${message}`);
    };
    expect(await told(0)).toEqual([
      'ok configuration: All variables are valid.',
      'ok database: It does not exist yet: the first start creates it.',
    ]);
    expect(await problemOf(folder, ['npm', 'run', 'migrate'])).toBeUndefined();
    expect(await told(0)).toContain('ok migrations: All have run.');
    appendFileSync(env, 'MIGRATE_ON_START=off\n');
    expect(await problemOf(folder, ['npm', 'run', 'migrate', '--', 'down'])).toBeUndefined();
    expect(await told(3)).toContainEqual(
      expect.stringMatching(/^problem migrations: 1 pending \(\w+\): run migrate up\.$/),
    );
    mkdirSync(join(folder, 'data/no-file'));
    for (const place of ['data/no-file', 'package.json/below-a-file.db']) {
      appendFileSync(env, `DATABASE_URL=file:./${place}\n`);
      expect(await told(3)).toContainEqual(
        expect.stringMatching(/^problem database: It cannot be used: /),
      );
    }
    appendFileSync(env, 'PORT=eighty\n');
    expect(await told(3)).toEqual([expect.stringMatching(/^problem configuration: PORT /)]);
  });
});
