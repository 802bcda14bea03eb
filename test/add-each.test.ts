import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { repositoryFolder } from '../scripts/matrix/child.js';
import { smallest } from '../scripts/matrix/combinations.js';
import { compilerProblem } from '../scripts/matrix/compiler.js';
import { emit } from '../scripts/matrix/emit.js';
import { addLayers, chosenNames, namedLayers } from '../src/answers/change-layers.js';
import { layerNamed } from '../src/catalog/catalog.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';
import { runCli } from './support/cli.js';
import { clock } from './support/emitted-paths.js';
import { type Files, readFiles } from './support/files.js';

/** Every method, feature and choice of the real templates, added one after the other and removed again. */
const catalog = readCatalog(templatesFolder);
const least = smallest(catalog);
// Within the repository, so that its packages are found from there.
const place = join(repositoryFolder, 'playground/add-each');
const names = namedLayers(catalog)
  .map(({ name }) => name)
  .filter((name) => !chosenNames(catalog, least).has(name));

afterAll(() => rmSync(place, { recursive: true, force: true }));

const emitted = (name: string) => emit(least, join(place, name));

async function run(folder: string, ...args: string[]): Promise<string> {
  const flags = ['--allow-dirty', '--json'];
  const { exitCode, stdout, stderr } = await runCli([...args, ...flags], { cwd: folder });
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${exitCode}\n${stderr}`);
  return stdout;
}

/** The project except for random values. */
function treeOf(folder: string): Files {
  const { '.env': _, ...files } = readFiles(folder);
  return files;
}

/** The trees except for migrations, which stay when a layer is removed. */
function withoutMigrations(files: Files): Files {
  return Object.fromEntries(
    Object.entries(files).filter(([path]) => !path.startsWith('migrations/')),
  );
}

/** What `create` makes of the answers that a project has now. */
async function createdLike(folder: string): Promise<Files> {
  const manifest = JSON.parse(readFiles(folder)['.create-auth-service/manifest.json'] ?? '');
  const input = JSON.stringify(manifest.answers);
  const created = join(place, 'created');
  rmSync(created, { recursive: true, force: true });
  const flags = ['--config', '-', '--yes', '--no-install', '--no-git'];
  const { exitCode, stderr } = await runCli([created, ...flags], { cwd: place, input });
  if (exitCode !== 0) throw new Error(stderr);
  return treeOf(created);
}

describe.concurrent('each layer that can be added', () => {
  test('gives an unedited project what creation would have emitted, and removing it undoes that', async () => {
    const folder = await emitted('unedited');
    const trees: { name: string; before: Files }[] = [];
    for (const name of names) {
      const chosen = chosenNames(catalog, answersIn(folder));
      if (chosen.has(name)) continue;
      const { along } = addLayers(catalog, answersIn(folder), [name]);
      const before = treeOf(folder);
      await run(folder, 'add', name);
      expect(treeOf(folder), `add ${name}`).toEqual(await createdLike(folder));
      // What was added along with it is not removed automatically: somebody may need it by now.
      if (along.length === 0) trees.push({ name, before });
      else trees.push({ name: [name, ...along.map((each) => each.name)].join(' '), before });
    }
    for (const { name, before } of trees.reverse()) {
      await run(folder, 'remove', ...name.split(' '));
      expect(withoutMigrations(treeOf(folder)), `remove ${name}`).toEqual(
        withoutMigrations(before),
      );
    }
  });

  test('comes into an edited project and leaves it with every edit in place, and both compile', async () => {
    const folder = await emitted('edited');
    const edit = (path: string, text: string) => appendFileSync(join(folder, path), text);
    edit('src/app.ts', '\nexport const ours = 1;\n');
    edit(clock, '\nexport const noon = 12;\n');
    edit('src/features.ts', '\nexport const isOurs = true;\n');
    edit('.env.example', '\n# Ours.\nOUR_VARIABLE=1\n');
    edit('README.md', '\n## Our own chapter\n');
    const packageFile = join(folder, 'package.json');
    const data = JSON.parse(readFiles(folder)['package.json'] ?? '');
    data.scripts = { ours: 'node ours.js', ...data.scripts };
    writeFileSync(packageFile, `${JSON.stringify(data, null, 4)}\n`);
    const before = treeOf(folder);
    for (const name of names) await run(folder, 'add', name);
    const grown = treeOf(folder);
    expectEdits(grown);
    expect(await compilerProblem(folder)).toBeUndefined();
    for (const name of names.toReversed()) {
      if (!isLastChoice(folder, name)) await run(folder, 'remove', name);
    }
    const shrunk = treeOf(folder);
    expectEdits(shrunk);
    expect(Object.keys(withoutMigrations(shrunk))).toEqual(Object.keys(withoutMigrations(before)));
    expect(await compilerProblem(folder)).toBeUndefined();
  });
});

function answersIn(folder: string): object {
  return JSON.parse(readFiles(folder)['.create-auth-service/manifest.json'] ?? '').answers;
}

/** It is removed with the layer that it is a choice of. */
function isLastChoice(folder: string, name: string): boolean {
  const chosen = chosenNames(catalog, answersIn(folder));
  const { choiceOf } = layerNamed(catalog, name);
  const siblings = catalog.filter((each) => each.choiceOf === choiceOf && chosen.has(each.name));
  return choiceOf !== undefined && siblings.length === 1;
}

function expectEdits(files: Files): void {
  expect(files['src/app.ts']).toContain('export const ours = 1;\n');
  expect(files[clock]).toContain('export const noon = 12;\n');
  expect(files['src/features.ts']).toContain('export const isOurs = true;\n');
  expect(files['.env.example']).toContain('OUR_VARIABLE=1\n');
  expect(files['README.md']).toContain('## Our own chapter\n');
  expect(files['package.json']).toMatch(/^ {8}"ours": "node ours\.js",$/m);
}
