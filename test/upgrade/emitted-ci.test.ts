import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { manifestText } from '../../src/plan/manifest.js';
import { readManifest } from '../../src/upgrade/read-manifest.js';
import { cleanEnv, runCli, scratchFolder } from '../support/cli.js';
import { writeFiles } from '../support/files.js';

const manifestFile = '.create-auth-service/manifest.json';

test.each(['sqlite', 'postgres'])(
  'the emitted CI fails while an upgrade waits for a decision (%s)',
  async (database) => {
    const cwd = scratchFolder();
    const flags = ['--yes', '--no-install', '--no-git', '--quiet', '--features', 'none'];
    await runCli(['made', ...flags, '--methods', 'password', '--database', database], { cwd });
    const root = join(cwd, 'made');
    const runStep = () => {
      const options = { cwd: root, encoding: 'utf8', env: cleanEnv() } as const;
      const { status, stderr } = spawnSync('bash', ['-e', '-c', stepIn(root)], options);
      return { status, stderr };
    };
    expect(runStep()).toEqual({ status: 0, stderr: '' });
    const { manifest } = readManifest(readFileSync(join(root, manifestFile), 'utf8'));
    writeFiles(root, { [manifestFile]: manifestText({ ...manifest, pending: ['src/app.ts'] }) });
    expect(runStep()).toEqual({ status: 1, stderr: 'not decided yet: src/app.ts\n' });
    // A team that does not want upgrades has removed the record.
    rmSync(join(root, '.create-auth-service'), { recursive: true });
    expect(runStep()).toEqual({ status: 0, stderr: '' });
  },
);

function stepIn(root: string): string {
  const workflow = parse(readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8'));
  const steps: { name?: string; run?: string }[] = workflow.jobs.validate.steps;
  return steps.find(({ name }) => name === 'Check that no upgrade is pending')?.run ?? 'exit 9';
}
