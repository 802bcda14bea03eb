import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { generatorVersion } from '../../src/package-root.js';
import { madeUpRelease, nextVersion, templateChanges } from '../../test/corpus/next-release.js';
import { commandFile, problemOf, repositoryFolder } from '../matrix/child.js';

/** A set of templates, with the command that emits it. */
export interface Release {
  name: string;
  bin: string;
}

/** An upgrade from one release to a later one. */
export interface UpgradePath {
  from: Release;
  to: Release;
}

/** What `npm pack` made of each published version: `<version>.tgz`. */
const published = join(repositoryFolder, 'test/releases');

/**
 * Every published version to the current one; to cover future releases too, the current one to a made-up
 * next one, and a made-up earlier one to the current one.
 * @param folder that the sets are laid in
 */
export async function upgradePaths(folder: string): Promise<UpgradePath[]> {
  const bin = (name: string) => join(folder, name, 'bin/create-auth-service.js');
  const current = { name: generatorVersion(), bin: commandFile };
  const archives = existsSync(published) ? readdirSync(published) : [];
  const recorded = await Promise.all(
    archives.map(async (archive) => {
      const name = basename(archive, '.tgz');
      mkdirSync(join(folder, name), { recursive: true });
      const unpack = ['tar', '-xzf', join(published, archive), '--strip-components=1'];
      const problem = await problemOf(join(folder, name), unpack);
      if (problem) throw new Error(problem);
      return { name, bin: bin(name) };
    }),
  );
  const madeUp = (place: string, version: string, changes: typeof templateChanges) => ({
    name: `${version} (made up)`,
    bin: madeUpRelease(join(folder, place), version, changes),
  });
  const earlier = madeUp('earlier', '0.0.1', changesOfText);
  const next = madeUp('next', nextVersion, [...templateChanges, widenedAccounts]);
  return [
    ...[...recorded, earlier].map((from) => ({ from, to: current })),
    { from: current, to: next },
  ];
}

/** Changes the tables that hold people's accounts. */
const widenedAccounts = {
  path: 'base/files/migrations/20991231_widened_accounts.ts',
  added: `import { type Kysely, sql } from 'kysely';

const tables = ['users', 'sessions', 'user_roles'];

/** Columns that an older version, still running, does not know have a default. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of tables) {
    await db.schema
      .alterTable(table)
      .addColumn('region', sql\`varchar(16)\`, (column) => column.notNull().defaultTo('eu'))
      .execute();
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of tables) await db.schema.alterTable(table).dropColumn('region').execute();
}
`,
};

/** Those of the corpus that need no other file to be added or moved. */
const changesOfText = templateChanges.filter(
  (change) => 'from' in change && /\/files\/src\//.test(change.path) && !/'\.\.?\//.test(change.to),
);
