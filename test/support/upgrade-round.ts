import { join } from 'node:path';
import { differing, fingerprint } from '../../scripts/matrix/emit.js';
import { teamProject } from '../corpus/team-project.js';
import { decide } from '../corpus/upgrade-project.js';
import { type Ended, runCli } from './cli.js';

/** What a project came to on its way; each step named as a person would. */
export interface UpgradeRound {
  steps: Record<string, string>;
  /** What `diff` shows of it in the end. */
  patch: string;
  /** Path → mode and hash of each file, without `.env`, whose secrets are random. */
  files: Record<string, string>;
}

/** The programs that take part: the Node, and the commands of two releases. */
interface Programs {
  node: string;
  older: string;
  newer: string;
}

const conflict = 'src/features/registration/limits.ts';
const feature = 'webhooks';

/**
 * Creates a project, edits it as a team would, upgrades it with a conflict, ends that, takes a feature out and in again,
 * and looks at it.
 * @param folder that the project is made in
 */
export async function upgradeRound(
  folder: string,
  { node, older, newer }: Programs,
): Promise<UpgradeRound> {
  const env = { GIT_CEILING_DIRECTORIES: folder };
  const run = (cwd: string, bin: string, ...args: string[]) =>
    runCli(args, { cwd, bin, node, env });
  const made = await run(folder, older, 'acme', '--yes', '--no-install', '--no-git');
  const root = join(folder, 'acme');
  const inside = (...args: string[]) => run(root, newer, ...args);
  edit(root);
  const upgraded = await inside('upgrade', '--json');
  const early = await inside('upgrade', '--continue');
  decide(join(root, conflict), 'yours');
  const continued = await inside('upgrade', '--continue');
  const whole = fingerprint(root);
  const removed = await inside('remove', feature, '--yes');
  const without = fingerprint(root);
  const added = await inside('add', feature);
  const files = fingerprint(root);
  const diff = await inside('diff');
  const examined = await inside('doctor', '--json', '--no-run');
  return {
    steps: {
      made: told(made),
      upgraded: `${told(upgraded)} ${documentOf(upgraded).pending}`,
      early: told(early),
      continued: told(continued),
      removed: `${told(removed)}, ${differing(whole, without).length > 0 ? 'less' : 'the same'}`,
      added: told(added),
      missed: differing(whole, files).join(),
      again: told(await inside('upgrade')),
      examined: `${told(examined)} ${problemsIn(examined)}`,
    },
    patch: diff.stdout,
    files: Object.fromEntries(Object.entries(files).filter(([path]) => path !== '.env')),
  };
}

/** Code, a list, JSON and YAML: each is merged by code of its own. */
function edit(root: string): void {
  const { replace, append } = teamProject(root);
  replace(conflict, 'points: 20,', 'points: 50,');
  replace(
    'src/features/password/limits.ts',
    'loginOfAddress: { points: 10,',
    'loginOfAddress: { points: 20,',
  );
  replace('package.json', '    "nodemailer":', '    "nanoid": "^5.1.0",\n    "nodemailer":');
  replace('compose.yaml', '    init: true\n', '    init: true\n    mem_limit: 512m\n');
  append('.gitignore', 'notes/\n');
}

/** The exit code, with what went wrong. */
function told({ exitCode, stderr }: Ended): string {
  return exitCode === 1 ? `1 ${stderr}` : String(exitCode);
}

interface Document {
  pending?: string[];
  findings?: { about: string; severity: string }[];
}

function problemsIn(examined: Ended): string[] {
  const { findings = [] } = documentOf(examined);
  return findings.filter(({ severity }) => severity === 'problem').map(({ about }) => about);
}

function documentOf({ stdout, stderr }: Ended): Document {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(stdout + stderr);
  }
}

/** What the steps of `upgradeRound` should come to. */
export const expectedUpgradeRound: UpgradeRound['steps'] = {
  made: '0',
  upgraded: `2 ${conflict}`,
  early: '2',
  continued: '0',
  removed: '0, less',
  added: '0',
  missed: '',
  again: '0',
  // They were not installed.
  examined: '3 dependencies',
};
