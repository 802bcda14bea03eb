import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from './support/cli.js';
import { readFiles } from './support/files.js';
import { applyPatch } from './support/git.js';
import { madeProject } from './support/made-project.js';
import { forged, packFile } from './support/pristine-texts.js';
import { keys, openScreen } from './support/pty.js';

/** A project as it was emitted, and `diff` in it. */
async function project() {
  const made = await madeProject();
  return { ...made, diff: (...args: string[]) => made.inside(['diff', ...args]) };
}

describe('diff', () => {
  test('says so if nothing differs', async () => {
    const { diff } = await project();
    expect(await diff('--check')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'Nothing differs from what was emitted.\n',
    });
  });

  test('is a patch by which git makes the same edits to the emitted files', async () => {
    const { folder, diff } = await project();
    const pristine = join(scratchFolder(), 'pristine');
    cpSync(folder, pristine, { recursive: true });
    appendFileSync(join(folder, 'src/app.ts'), '// mine, without a line end');
    writeFileSync(join(folder, 'package.json'), '{}\n');
    rmSync(join(folder, '.gitignore'));
    writeFileSync(join(folder, '.env.example'), '\0');
    if (process.platform !== 'win32') chmodSync(join(folder, 'src/list.ts'), 0o755);
    const { exitCode, stdout } = await diff();
    expect(exitCode).toBe(0);
    applyPatch(pristine, stdout);
    expect(stdout).toContain(
      '# .env.example differs. It is binary, so this patch leaves it out.\n',
    );
    const { '.env.example': _, ...text } = readFiles(pristine);
    expect(readFiles(folder)).toEqual({ ...text, '.env.example': '\0' });
  });

  test('sums up by owner', async () => {
    const { folder, diff } = await project();
    appendFileSync(join(folder, 'src/app.ts'), '// mine\n// too\n');
    rmSync(join(folder, 'src/list.ts'));
    const { stderr } = await diff();
    expect(stderr).toBe('ours    1 deleted (+0 −1 lines)\nyours   1 edited (+2 −0 lines)\n');
  });

  test('--json has every file with its patch', async () => {
    const { folder, diff } = await project();
    appendFileSync(join(folder, 'src/app.ts'), '// mine\n');
    const { stdout } = await diff('--json');
    expect(JSON.parse(stdout)).toMatchObject({
      summary: { yours: { edited: 1, added: 1, removed: 0 }, ours: { edited: 0 } },
      files: [
        {
          path: 'src/app.ts',
          owner: 'yours',
          state: 'edited',
          patch: expect.stringContaining('+// mine\n'),
        },
      ],
    });
  });

  test('a checkout with other line ends is no edit, and does not hide one', async () => {
    const { folder, diff } = await project();
    writeFileSync(join(folder, '.gitignore'), '\uFEFF.env\r\nnode_modules');
    expect(await diff('--check')).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('Only line ends differ: .gitignore\n'),
    });
    writeFileSync(join(folder, '.gitignore'), '.env\r\nnode_modules\r\nmine\r\n');
    const { exitCode, stdout } = await diff('--check');
    expect(exitCode).toBe(3);
    expect(stdout.split('\n').filter((line) => /^[+-]\w/.test(line))).toEqual(['+mine']);
  });

  test('a checkout with other line ends everywhere is one line, not one for each file', async () => {
    const { folder, diff } = await project();
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (path.startsWith('.create') || !statSync(join(folder, path)).isFile()) continue;
      const text = readFileSync(join(folder, path), 'utf8');
      writeFileSync(join(folder, path), text.replaceAll('\n', '\r\n'));
    }
    const { stderr } = await diff();
    expect(stderr.match(/^.*line ends differ.*/gim)).toEqual([
      expect.stringMatching(/^Only line ends differ: .+, .+/),
    ]);
  });

  test('paths are files or folders, relative to the current folder', async () => {
    const { folder, run } = await project();
    appendFileSync(join(folder, 'src/app.ts'), '// mine\n');
    appendFileSync(join(folder, '.gitignore'), 'mine\n');
    const within = (cwd: string, path: string) => run(['diff', path], { cwd: join(folder, cwd) });
    for (const [cwd, path] of [
      ['.', 'src'],
      ['.', './src/app.ts'],
      ['src', 'app.ts'],
      ['src', '.'],
    ] as const) {
      const { stdout } = await within(cwd, path);
      expect(stdout.match(/^diff --git .*/gm)).toEqual(['diff --git a/src/app.ts b/src/app.ts']);
    }
    const linked = join(scratchFolder(), 'linked');
    symlinkSync(folder, linked, 'junction');
    expect(await within('.', join(linked, 'src/app.ts'))).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('+// mine\n'),
    });
    expect(await within('.', 'src/ap.ts')).toMatchObject({
      exitCode: 1,
      stderr:
        'src/ap.ts is neither a file that create-auth-service has made nor a folder with one.\n' +
        'Did you mean src/app.ts?\n',
    });
  });

  test('a file whose pristine text is lost, and one that is a link, are named as such', async () => {
    const { folder, diff } = await project();
    appendFileSync(join(folder, 'src/app.ts'), '// mine\n');
    const pack = join(folder, packFile);
    writeFileSync(pack, forged(readFileSync(pack, 'utf8'), 'src/app.ts'));
    const manifest = join(folder, '.create-auth-service/manifest.json');
    const text = readFileSync(manifest, 'utf8');
    writeFileSync(manifest, text.replace(/"version": "[^"]*"/, '"version": "0.0.1"'));
    rmSync(join(folder, '.gitignore'));
    symlinkSync('src/app.ts', join(folder, '.gitignore'));
    const { exitCode, stderr } = await diff('--check');
    expect(exitCode).toBe(3);
    expect(stderr).toContain('src/app.ts: its pristine text is missing.');
    expect(stderr).toContain('.gitignore is a symbolic link.');
  });

  test('a moved file does not count as deleted', async () => {
    const { folder, diff } = await project();
    const pristine = join(scratchFolder(), 'pristine');
    cpSync(folder, pristine, { recursive: true });
    mkdirSync(join(folder, 'src/core'));
    renameSync(join(folder, 'src/app.ts'), join(folder, 'src/core/app.ts'));
    renameSync(join(folder, 'src/list.ts'), join(folder, 'src/core/list.ts'));
    appendFileSync(join(folder, 'src/core/list.ts'), '// mine\n');
    const { stdout, stderr } = await diff();
    expect(stderr).toBe('ours    1 edited (+1 −0 lines)\nyours   1 moved (+0 −0 lines)\n');
    applyPatch(pristine, stdout);
    expect(readFiles(pristine)).toEqual(readFiles(folder));
  });

  test('a pristine text that is lost is rendered again by the same version', async () => {
    const { folder, diff } = await project();
    appendFileSync(join(folder, 'src/app.ts'), '// mine\n');
    rmSync(join(folder, packFile));
    expect((await diff()).stdout).toContain('+// mine\n');
  });
});

describe.skipIf(process.platform === 'win32')('diff on a terminal', () => {
  test('is shown in the pager of the environment, in colors', async () => {
    const { folder, bin } = await project();
    appendFileSync(join(folder, 'src/app.ts'), '// mine\n');
    const env = { PAGER: 'sed "s/^/paged: /"' };
    const screen = openScreen(['diff'], { cwd: folder, bin, env });
    expect(await screen.exitCode).toBe(0);
    expect(screen.text()).toContain('paged: +// mine');
    expect(screen.text()).toContain('paged: yours   1 edited');
    expect(screen.raw()).toContain('\u001b[32m+// mine');
  });

  test('Ctrl-C goes to the pager, and without a pager the patch is printed', async () => {
    const { folder, bin } = await project();
    appendFileSync(join(folder, 'src/app.ts'), '// mine\n');
    const less = openScreen(['diff'], { cwd: folder, bin, env: { LESS: 'R', PAGER: 'less' } });
    await less.type('(END)', keys.interrupt);
    // less may drop a key while it draws its text again.
    const leaving = setInterval(() => less.write('q'), 100);
    expect(await less.exitCode).toBe(0);
    clearInterval(leaving);
    const none = openScreen(['diff'], { cwd: folder, bin, env: { PAGER: 'no-such-pager' } });
    expect(await none.exitCode).toBe(0);
    expect(none.text()).toContain('+// mine');
  });

  test('--no-pager prints', async () => {
    const { folder, bin } = await project();
    appendFileSync(join(folder, 'src/app.ts'), '// mine\n');
    const env = { PAGER: 'false' };
    const screen = openScreen(['diff', '--no-pager'], { cwd: folder, bin, env });
    expect(await screen.exitCode).toBe(0);
    expect(screen.text()).toContain('+// mine');
  });
});
