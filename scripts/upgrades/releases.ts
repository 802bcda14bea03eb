import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { generatorVersion } from '../../src/package-root.js';
import { nextRelease, nextVersion, templateChanges } from '../../test/corpus/next-release.js';
import { packTemplates } from '../build/pack-templates.js';
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
  const earlier = { name: '0.0.1 (made up)', bin: earlierRelease(join(folder, 'earlier')) };
  const next = { name: `${nextVersion} (made up)`, bin: nextWithColumns(join(folder, 'next')) };
  return [
    ...[...recorded, earlier].map((from) => ({ from, to: current })),
    { from: current, to: next },
  ];
}

/** The next release of the corpus, which also changes the tables that hold people's accounts. */
function nextWithColumns(folder: string): string {
  const bin = nextRelease(folder);
  writeFileSync(
    join(folder, 'templates/base/files/migrations/20991231_widened_accounts.ts'),
    `import { type Kysely, sql } from 'kysely';

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
  );
  packTemplates(folder);
  return bin;
}

/** Today's templates with the corpus's replacements reversed. */
function earlierRelease(folder: string): string {
  const filter = (path: string) => basename(path) !== 'node_modules';
  for (const path of ['bin', 'dist', 'templates', 'package.json']) {
    cpSync(join(repositoryFolder, path), join(folder, path), { recursive: true, filter });
  }
  const about = readFileSync(join(folder, 'package.json'), 'utf8');
  const older = about.replace(/"version": "[^"]*"/, '"version": "0.0.1"');
  writeFileSync(join(folder, 'package.json'), older);
  for (const change of templateChanges) {
    // Files that it moves would have to be moved as well.
    if (!('from' in change) || !/\/files\/src\//.test(change.path) || /'\.\.?\//.test(change.to)) {
      continue;
    }
    const path = join(folder, 'templates', change.path);
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(change.from, () => change.to),
    );
  }
  packTemplates(folder);
  return join(folder, 'bin/create-auth-service.js');
}
