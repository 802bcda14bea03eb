import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../support/cli.js';
import { doctor } from '../support/doctor-says.js';
import { git as runGit } from '../support/git.js';
import { madeProject } from '../support/made-project.js';

describe('doctor and git', () => {
  test('secrets that git tracks are reported, wherever they are', async () => {
    const project = await madeProject();
    const secret = /^SECRET=(.*)$/m.exec(project.read('.env'))?.[1] ?? '';
    writeFileSync(project.at('deploy.yaml'), `SECRET: ${secret}\n`);
    const git = project.commit();
    const places = 'git: Secrets of .env are in files that git tracks: SECRET in deploy.yaml';
    expect((await doctor(project)).problems).toEqual([places]);
    rmSync(project.at('deploy.yaml'));
    git('add', '--force', '--all', '.', '.env');
    const [committed] = (await doctor(project)).problems;
    expect(committed).toBe('git: .env is committed, or about to be.');
    git('commit', '--quiet', '--message', 'Oh');
    const commit = git('rev-parse', '--short', 'HEAD');
    git('rm', '--quiet', '--cached', '.env');
    git('commit', '--quiet', '--message', 'Remove it');
    const past = `.env was committed in the past (${commit})`;
    expect((await doctor(project)).problems).toEqual([
      `git: ${past}, and its secrets are still used: SECRET`,
    ]);
    writeFileSync(project.at('.env'), `SECRET=${secret.toUpperCase()}x,${secret}\n`);
    expect((await doctor(project)).problems).toHaveLength(1);
    writeFileSync(project.at('.env'), `SECRET=${secret.toUpperCase()}x\n`);
    const { problems, notes } = await doctor(project);
    expect(problems).toEqual([]);
    expect(notes).toContain(`${past}: use none of its secrets again.`);
  });

  test('where git is not installed, that is said, and not that there is no repository', async () => {
    const project = await madeProject();
    project.commit();
    const env = { PATH: scratchFolder() };
    expect((await doctor(project, ['--no-run'], { env })).notes).toContain(
      'git is not installed: what it tracks and ignores was not checked.',
    );
    expect((await doctor(await madeProject(), ['--no-run'])).notes).toContain(
      'This is not a git repository: git cannot undo an upgrade.',
    );
  });

  test('a repository that has nothing of the project is not said to contain its record', async () => {
    const project = await madeProject();
    runGit(project.cwd, 'init', '--quiet');
    writeFileSync(join(project.cwd, '.gitignore'), 'made\n');
    const { problems, notes } = await doctor(project);
    expect(problems).toEqual([]);
    expect(notes).toContain('Nothing of this project is in git: git cannot undo an upgrade.');
  });

  test('conflicts of git itself are problems', async () => {
    const project = await madeProject();
    const git = project.commit();
    const commit = (text: string) => {
      writeFileSync(project.at('src/app.ts'), text);
      git('commit', '--quiet', '--all', '--message', text);
    };
    git('checkout', '--quiet', '-b', 'other');
    commit('theirs();\n');
    git('checkout', '--quiet', '-');
    commit('ours();\n');
    expect(() => git('merge', '--quiet', 'other')).toThrow();
    expect((await doctor(project)).problems).toEqual([
      'git: git has conflicts that are not resolved: src/app.ts',
    ]);
  });

  test('.env must be ignored, the record must not', async () => {
    const project = await madeProject();
    writeFileSync(project.at('.gitignore'), '.create-auth-service\n');
    const env = project.read('.env');
    rmSync(project.at('.env'));
    project.commit();
    writeFileSync(project.at('.env'), env, { mode: 0o600 });
    const { problems } = await doctor(project);
    expect(problems).toEqual([
      'git: .env is not ignored by git.',
      'git: .create-auth-service/ is ignored by git: a clone of this project cannot be upgraded.',
    ]);
  });

  test('both files of the record must be tracked', async () => {
    const project = await madeProject();
    writeFileSync(project.at('.git-ignored'), '*.pack\n');
    const git = project.commit();
    git('rm', '--quiet', '--cached', '.create-auth-service/base.pack');
    expect((await doctor(project)).problems).toEqual([
      'git: .create-auth-service/base.pack is not in git: a clone of this project cannot be upgraded.',
    ]);
    git('config', 'core.excludesFile', project.at('.git-ignored'));
    const { problems, stdout } = await doctor(project);
    expect(problems).toEqual([
      'git: .create-auth-service/base.pack is ignored by git: a clone of this project cannot be upgraded.',
    ]);
    expect(stdout).toContain('git add --force .create-auth-service/base.pack, and commit.');
  });
});
