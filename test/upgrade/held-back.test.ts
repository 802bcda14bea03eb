import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Files, readFiles, readTree, writeFiles } from '../support/files.js';
import { git } from '../support/git.js';
import { layer } from '../support/small-package.js';
import { newerTemplates, olderTemplates, upgradableProject } from '../support/upgradable.js';

const app = 'src/app.ts';

/** The next release changes a file of the team; code that it adds and code that it changes import more from it. */
const newer = {
  ...newerTemplates,
  'base/files/src/app.ts': [
    'export const app = 2;',
    '',
    '/** How long. */',
    'export function limitOf(name: string): number {',
    '  return name.length;',
    '}',
    '',
    "export type Rule = 'a' | 'b';",
    '',
  ].join('\n'),
  'base/files/src/fresh/deep/new.ts':
    "import { app, limitOf, type Rule } from '../../app.js';\nexport const fresh: Rule[] = [limitOf(app)];\n",
  'base/files/src/http/plain.ts':
    "import * as all from '../app.js';\nexport { limitOf as plain } from '../app.js';\n",
};

/** The same change, but nothing needs it. Features are sorted in another order, which is no other answer. */
const changedAlone = {
  ...newerTemplates,
  ...layer('features/house-rules', { title: 'Rules', group: 'feature', default: true, order: 0 }),
  'base/files/src/app.ts': 'export const app = 2;\n',
};

const mine = 'export const app = 1;\nmine();\n';

async function project(
  newerRelease: Files = newer,
  edits: Record<string, string> = { [app]: mine },
) {
  const made = await upgradableProject({ older: olderTemplates, newer: newerRelease });
  writeFiles(made.root, edits);
  return made;
}

describe('what the template has changed in a file of the team', () => {
  const patch = '# -export const app = 1;\n# +export const app = 2;\n';

  test('is in the patch of --dry-run, as a comment, and in --json', async () => {
    const { run } = await project(changedAlone);
    const { stdout } = await run(['upgrade', '--dry-run', '--diff']);
    expect(stdout).toContain(`# ${app}: it is yours; the template has changed it\n`);
    expect(stdout).toContain(patch);
    const document = JSON.parse((await run(['upgrade', '--dry-run', '--json'])).stdout);
    const [file] = document.files.filter(({ path }: { path: string }) => path === app);
    expect(file.keptPatch).toContain('-export const app = 1;\n+export const app = 2;\n');
  });

  test('is a next step after the upgrade, and shown by it until the file has it', async () => {
    const { run, root } = await project(changedAlone);
    const read = `npx create-auth-service diff --upstream ${app}`;
    const { exitCode, stdout } = await run(['upgrade']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`see what the template has changed in ${app}: ${read}\n`);
    const shown = await run(['diff', '--upstream']);
    expect(shown.stdout).toContain(patch);
    expect(shown.stderr).not.toContain('Nothing');
    expect(shown.stderr).toContain(`${app}: the template has changed it; yours was kept`);
    expect((await run(['diff', '--upstream', '--check'])).exitCode).toBe(0);
    writeFiles(root, { [app]: mine.replace('1', '2') });
    const taken = await run(['diff', '--upstream']);
    expect(taken.stdout).toBe('');
    expect(taken.stderr).toMatch(/^Nothing: /);
  });

  test.skipIf(process.platform === 'win32')(
    'is shown by the printed command for any path',
    async () => {
      const { run, root } = await project(changedAlone, {});
      const moved = 'src/$lib/`our` own.ts';
      mkdirSync(dirname(join(root, moved)));
      renameSync(join(root, app), join(root, moved));
      const { stdout } = await run(['upgrade']);
      const [, typed = ''] = /diff --upstream (.*)\n/.exec(stdout) ?? [];
      const read = execFileSync('sh', ['-c', `printf %s ${typed}`], { encoding: 'utf8' });
      expect(read).toBe(moved);
    },
  );

  test('is no next step for a file that they have deleted: the command would show nothing', async () => {
    const { run, root } = await project(changedAlone, {});
    rmSync(join(root, app));
    const { stdout } = await run(['upgrade']);
    expect(stdout).toContain(`${app}: you deleted it; the template has changed it\n`);
    expect(stdout).not.toContain('diff --upstream');
  });
});

describe('a name that template code now imports from a file of the team', () => {
  test('and that the file does not export is pending, with what to add', async () => {
    const { run, root } = await project();
    const { exitCode, stdout } = await run(['upgrade']);
    expect(exitCode).toBe(2);
    expect(stdout).toContain(
      `${app}: export limitOf, Rule, imported by src/fresh/deep/new.ts, src/http/plain.ts`,
    );
    for (const line of [
      'export function limitOf(name: string): number {',
      "export type Rule = 'a' | 'b';",
    ]) {
      expect(stdout).toContain(`    ${line}\n`);
    }
    expect(readFiles(root)[app]).toBe(mine);
    expect(readFiles(root)[`${app}.template`]).toBeUndefined();
  });

  test('is in --json, with its text', async () => {
    const { run } = await project();
    const { pending, files } = JSON.parse((await run(['upgrade', '--json'])).stdout);
    expect(pending).toEqual([app]);
    expect(files.find(({ path }: { path: string }) => path === app)).toMatchObject({
      outcome: 'incomplete',
      missing: [
        { name: 'limitOf', importedBy: ['src/fresh/deep/new.ts', 'src/http/plain.ts'] },
        { name: 'Rule', text: "export type Rule = 'a' | 'b';" },
      ],
    });
  });

  test('--continue is satisfied once the names are exported', async () => {
    const { run, root } = await project();
    await run(['upgrade']);
    const before = readTree(root);
    const early = await run(['upgrade', '--continue']);
    expect(early.exitCode).toBe(2);
    expect(early.stdout).toContain(
      `${app}: export limitOf, Rule, imported by src/fresh/deep/new.ts`,
    );
    expect(readTree(root)).toEqual(before);
    writeFiles(root, {
      'src/rules.ts': "export type Rule = 'a' | 'b';\n",
      [app]: `${mine}export type { Rule } from './rules.js';\nexport const limitOf = () => 1, more = 2;\n`,
    });
    expect(await run(['upgrade', '--continue'])).toMatchObject({ exitCode: 0 });
    expect(await run(['upgrade'])).toMatchObject({ exitCode: 0, stdout: 'Nothing to do.\n' });
  });

  test('is pending until then in a file that the team has moved, too', async () => {
    const { run, root } = await project(newer, {});
    const moved = 'src/our rules/app.ts';
    mkdirSync(join(root, 'src/our rules'));
    renameSync(join(root, app), join(root, moved));
    const upgraded = await run(['upgrade']);
    expect(upgraded.exitCode).toBe(2);
    expect(upgraded.stdout).toContain(`diff --upstream "${moved}"\n`);
    const early = await run(['upgrade', '--continue']);
    expect(early.stdout).toContain(
      `  ${moved}: export limitOf, Rule, imported by src/fresh/deep/new.ts, src/http/plain.ts\n`,
    );
    expect(early.exitCode).toBe(2);
    const exported = "export type Rule = 'a' | 'b';\nexport const limitOf = () => 1;\n";
    writeFiles(root, { [moved]: `export const app = 1;\n${exported}` });
    expect(await run(['upgrade', '--continue'])).toMatchObject({ exitCode: 0 });
  });

  test('is pending as well in one that the template moves', async () => {
    const renamed = { 'docs/there.md': 'docs/here.md', 'src/own/app.ts': app };
    const base = { title: 'Base', group: 'base', yours: ['src/own/app.ts'], renamed };
    const { [`base/files/${app}`]: moved = '', ...others } = newer;
    const { run, root } = await project({
      ...others,
      ...layer('base', { ...base, removed: ['src/old/gone.ts'] }),
      'base/files/src/own/app.ts': moved,
      'base/files/src/fresh/deep/new.ts':
        "import { limitOf } from '../../own/app.js';\nexport const fresh = limitOf('a');\n",
      'base/files/src/http/plain.ts': 'export const plain = 2;\n',
    });
    const { exitCode, stdout } = await run(['upgrade']);
    expect(exitCode).toBe(2);
    expect(stdout).toContain('src/own/app.ts: export limitOf, imported by src/fresh/deep/new.ts');
    expect(readFiles(root)['src/own/app.ts']).toBe(mine);
  });

  test('is committed by --continue --commit, with the code that imports it', async () => {
    const { run, root, commitAll } = await project();
    commitAll();
    await run(['upgrade']);
    const exported = "export type Rule = 'a' | 'b';\nexport const limitOf = () => 1, more = 2;\n";
    writeFiles(root, { [app]: mine + exported });
    expect(await run(['upgrade', '--continue', '--commit'])).toMatchObject({ exitCode: 0 });
    expect(git(root, 'status', '--porcelain')).toBe('');
  });

  test('--continue is satisfied as well by code that no longer imports them', async () => {
    const { run, root } = await project();
    await run(['upgrade']);
    writeFiles(root, {
      'src/fresh/deep/new.ts': 'export const fresh = [];\n',
      'src/http/plain.ts': 'export const plain = 1;\n',
    });
    expect(await run(['upgrade', '--continue'])).toMatchObject({ exitCode: 0 });
  });

  test.each([
    [
      'under another name',
      'const own = 1;\nfunction f() {}\nexport { own as limitOf, f as Rule };\n',
    ],
    ['from elsewhere, as a whole', "export * from './rules.js';\n"],
    ['by taking it apart', 'export const { limitOf, rule: Rule } = { limitOf: 1, rule: 2 };\n'],
  ])('is there if the team exports it %s', async (_, own) => {
    const { run } = await project(newer, { [app]: `export const app = 1;\n${own}` });
    expect(await run(['upgrade'])).toMatchObject({ exitCode: 0 });
  });

  test('is looked for where the file re-exports others as a whole', async () => {
    const own = "export * from './our/rules.js';\n";
    const rules = 'export const app = 1;\nexport const limitOf = 1;\n';
    const { run, root } = await project(newer, { [app]: own, 'src/our/rules.ts': rules });
    const { exitCode, stdout } = await run(['upgrade']);
    expect(exitCode).toBe(2);
    expect(stdout).toContain(`${app}: export Rule, imported by src/fresh/deep/new.ts`);
    expect((await run(['upgrade', '--continue'])).exitCode).toBe(2);
    writeFiles(root, { 'src/our/rules.ts': `${rules}export type Rule = 'a';\n` });
    expect(await run(['upgrade', '--continue'])).toMatchObject({ exitCode: 0 });
  });

  test('and that was missing before is not reported', async () => {
    const older = { ...newer, 'base/files/src/old/gone.ts': 'export const gone = 1;\n' };
    const later = { ...newer, 'base/files/src/lines.ts': 'export const lines = 1;\n' };
    const made = await upgradableProject({
      older: { ...older, 'base/layer.json': olderTemplates['base/layer.json'] ?? '' },
      newer: later,
    });
    writeFiles(made.root, { [app]: mine });
    expect(await made.run(['upgrade'])).toMatchObject({ exitCode: 0 });
  });
});
