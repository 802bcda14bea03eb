import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cleanEnv } from '../support/cli.js';
import { readFiles, readTree, writeFiles } from '../support/files.js';
import { losePristine } from '../support/pristine-texts.js';
import { conflicting, newerTemplates, resolved, upgradableProject } from '../support/upgradable.js';

const manifest = '.create-auth-service/manifest.json';
const mine = conflicting['src/lines.ts'];

/** A project with a pending file, and its state before. */
async function waitingProject({ flags = [] }: { flags?: string[] } = {}) {
  const project = await upgradableProject();
  writeFiles(project.root, conflicting);
  const before = readTree(project.root);
  const ended = await project.run(['upgrade', ...flags]);
  return { ...project, before, ended };
}

describe('a decision that waits', () => {
  test('is exit code 2, names the file first with its lines, what to type and the way back', async () => {
    const { run, root } = await upgradableProject();
    writeFiles(root, conflicting);
    const { exitCode, stdout } = await run(['upgrade']);
    expect(exitCode).toBe(2);
    expect(stdout.indexOf('src/lines.ts')).toBeLessThan(stdout.indexOf('src/old/gone.ts'));
    expect(stdout).toContain('  src/lines.ts, lines 2–8\n');
    expect(stdout).toMatch(
      /npx create-auth-service upgrade --continue.*npx create-auth-service upgrade --abort/,
    );
    expect(readFiles(root)['src/lines.ts']).toContain('<<<<<<< yours\n');
    expect(readFiles(root)['src/lines.ts']).toContain('>>>>>>> create-auth-service 99.0.0\n');
  });

  test('is one line on standard error with --quiet, there and with --continue', async () => {
    const { run, ended } = await waitingProject({ flags: ['--quiet'] });
    const waits =
      'Pending: src/lines.ts. When decided: npx create-auth-service upgrade --continue\n';
    expect(ended).toEqual({ exitCode: 2, stdout: '', stderr: waits });
    expect(await run(['upgrade', '--continue', '--quiet'])).toEqual(ended);
  });

  test('is reported as no-base where the pristine text is lost', async () => {
    const { run, root } = await upgradableProject();
    writeFiles(root, conflicting);
    losePristine(root, 'src/lines.ts');
    expect((await run(['upgrade'])).stdout).toContain('Not comparable (no-base)');
  });

  test('stops every other change, naming --continue and --abort', async () => {
    const { run } = await waitingProject();
    for (const args of [['upgrade'], ['upgrade', '--dry-run'], ['regenerate', '--yes']]) {
      const { exitCode, stderr } = await run(args);
      expect(exitCode).toBe(1);
      for (const part of ['src/lines.ts', '--continue', '--abort']) expect(stderr).toContain(part);
    }
  });

  test('--continue prints the steps that are left, and is not fooled by an edited record', async () => {
    const { run, root } = await waitingProject();
    writeFiles(root, conflicting);
    const written = readFileSync(join(root, manifest), 'utf8');
    writeFiles(root, { [manifest]: written.replace('"owner":"yours"', '"owner":"ours"') });
    const { exitCode, stderr } = await run(['upgrade', '--continue']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('its checksum does not match');
    writeFiles(root, { [manifest]: written });
    const { stdout, stderr: said } = await run(['upgrade', '--continue', '--json']);
    const done = JSON.parse(stdout);
    expect(done).toEqual({ done: true, pending: [], nextSteps: ['npm install'] });
    expect(said).toBe('Done: nothing is pending.\n\nNext:\n  npm install\n');
  });

  test('--continue asks for no secret again that is in .env by now', async () => {
    const example = `${newerTemplates['base/env.example']}\n# Signs more.\n# secret: hex32\nMORE_SECRET=\n`;
    const newer = { ...newerTemplates, 'base/env.example': example };
    const { run, root } = await upgradableProject({ newer });
    writeFiles(root, conflicting);
    const step = String.raw`printf '\nMORE_SECRET=%s\n' "$(openssl rand -hex 32)" >> .env`;
    expect((await run(['upgrade'])).stdout).toContain(step);
    writeFiles(root, { ...resolved, '.env': `${readFiles(root)['.env']}MORE_SECRET=drawn\n` });
    expect((await run(['upgrade', '--continue'])).stdout).not.toContain('MORE_SECRET');
  });

  test("--continue finds git's own markers, if somebody has started over", async () => {
    const { run, root } = await waitingProject();
    writeFiles(root, { 'src/lines.ts': '<<<<<<< ours\n=======\n>>>>>>> theirs\n' });
    expect((await run(['upgrade', '--continue'])).exitCode).toBe(2);
  });

  test('names what .env sets and nothing reads any more', async () => {
    const example = '# Signs tokens.\n# secret: hex32\nSECRET=\n';
    const { run } = await upgradableProject({
      newer: { ...newerTemplates, 'base/env.example': example },
    });
    const { stdout } = await run(['upgrade']);
    expect(stdout).toContain('No longer read from .env, unless your own code does: PORT\n');
  });

  test('--continue finds the markers of a file that somebody has moved, too', async () => {
    const { run, root } = await waitingProject();
    renameSync(join(root, 'src/lines.ts'), join(root, 'src/verse.ts'));
    const { exitCode, stdout } = await run(['upgrade', '--continue']);
    expect(stdout).toContain('src/verse.ts: line 2 has a conflict marker');
    expect(exitCode).toBe(2);
    writeFiles(root, { 'src/verse.ts': mine, 'docs/marks.md': '<<<<<<< yours\n=======\n' });
    expect(await run(['upgrade', '--continue'])).toMatchObject({ exitCode: 0 });
  });

  test('--continue finds a single marker in a file whose folder somebody has renamed', async () => {
    const { run, root } = await waitingProject();
    rmSync(join(root, 'src/lines.ts'));
    writeFiles(root, { 'src/later/lines.ts': mine.replace('\n', '\n=======\n') });
    const { exitCode, stdout } = await run(['upgrade', '--continue']);
    expect(stdout).toContain('src/later/lines.ts: line 2 has a conflict marker');
    expect(exitCode).toBe(2);
    writeFiles(root, { 'src/later/lines.ts': mine });
    expect(await run(['upgrade', '--continue'])).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ['in its folder', 'src/fresh', 'src/later', 'src/later/deep/new.ts'],
    ['to the top', 'src/fresh/deep/new.ts', 'new.ts', 'new.ts'],
  ])(
    "--continue finds the template's text that somebody has moved %s",
    async (_, from, to, moved) => {
      const { run, root } = await upgradableProject();
      writeFiles(root, { 'src/fresh/deep/new.ts': 'mine\n' });
      expect(await run(['upgrade'])).toMatchObject({ exitCode: 2 });
      renameSync(join(root, from), join(root, to));
      if (moved === to) renameSync(join(root, `${from}.template`), join(root, `${to}.template`));
      const { exitCode, stdout } = await run(['upgrade', '--continue']);
      expect(stdout).toContain(
        `${moved}.template: take over what you need from it, then delete it\n`,
      );
      expect(exitCode).toBe(2);
      rmSync(join(root, `${moved}.template`));
      expect(await run(['upgrade', '--continue'])).toMatchObject({ exitCode: 0 });
    },
  );

  test.skipIf(process.platform !== 'linux')('has its exit code without output, too', async () => {
    const { bins, root } = await waitingProject();
    const full = openSync('/dev/full', 'w');
    const args = [bins.newer, 'upgrade', '--continue'];
    const { status } = spawnSync(process.execPath, args, {
      cwd: root,
      env: cleanEnv(),
      stdio: ['ignore', full, 'pipe'],
    });
    expect(status).toBe(2);
    closeSync(full);
  });

  test('--continue with markers left: exit code 2, nothing changed', async () => {
    const { run, root } = await waitingProject();
    const before = readTree(root);
    const { exitCode, stdout } = await run(['upgrade', '--continue']);
    expect(exitCode).toBe(2);
    expect(stdout).toContain('src/lines.ts: line 2 has a conflict marker');
    expect(readTree(root)).toEqual(before);
  });

  test('--abort puts all back, and keeps what was written since', async () => {
    const { run, root, before } = await waitingProject();
    writeFiles(root, { 'src/lines.ts': 'half resolved\n', 'src/fresh/deep/new.ts': 'edited\n' });
    const { exitCode, stdout } = await run(['upgrade', '--abort']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('kept: src/lines.ts.kept');
    expect(readTree(root)).toEqual({
      ...before,
      'src/lines.ts.kept': '644 half resolved\n',
      'src/fresh/deep/new.ts.kept': '644 edited\n',
    });
  });

  test('--abort names a file with markers that somebody has moved', async () => {
    const { run, root } = await waitingProject();
    renameSync(join(root, 'src/lines.ts'), join(root, 'src/verse.ts'));
    const { stdout } = await run(['upgrade', '--abort']);
    expect(stdout).toContain('Changed since then, so it was kept: src/verse.ts\n');
  });

  test("--abort names the template's text that somebody has moved", async () => {
    const { run, root } = await upgradableProject();
    writeFiles(root, { 'src/fresh/deep/new.ts': 'mine\n' });
    await run(['upgrade']);
    renameSync(join(root, 'src/fresh'), join(root, 'src/later'));
    const { stdout } = await run(['upgrade', '--abort']);
    expect(stdout).toContain('it was kept: src/later/deep/new.ts.template\n');
  });

  test('cannot be aborted in another checkout, which lacks the previous texts', async () => {
    const { run, root } = await waitingProject();
    rmSync(join(root, '.create-auth-service/work'), { recursive: true });
    const { exitCode, stderr } = await run(['upgrade', '--abort']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('the change was made in another checkout');
    writeFiles(root, conflicting);
    expect(await run(['upgrade', '--continue'])).toMatchObject({ exitCode: 0 });
  });

  test.each(['--continue', '--abort'])('%s without one does nothing', async (flag) => {
    const { run, root } = await upgradableProject();
    const before = readTree(root);
    const { exitCode, stdout } = await run(['upgrade', flag]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('nothing is pending');
    expect(readTree(root)).toEqual(before);
  });

  test('is found again by an upgrade after the next release', async () => {
    const { run, root } = await waitingProject();
    writeFiles(root, conflicting);
    expect(await run(['upgrade', '--continue'])).toMatchObject({ exitCode: 0 });
    expect(await run(['upgrade'])).toMatchObject({ exitCode: 0, stdout: 'Nothing to do.\n' });
    expect(readFiles(root)['src/lines.ts']).toBe(mine);
  });
});
