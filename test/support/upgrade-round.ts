import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { differing, fingerprint } from '../../scripts/matrix/emit.js';
import { editWhere } from '../corpus/all-edits.js';
import { filesOf, saveEdits, teamProject } from '../corpus/team-project.js';
import { decide } from '../corpus/upgrade-project.js';
import { type Ended, runCli } from './cli.js';
import type { Files } from './files.js';
import { packFile, pristineTexts } from './pristine-texts.js';

/** The outcome of each step, named in plain words. */
interface UpgradeRound {
  steps: Record<string, string>;
  /** What `diff` shows at the end. */
  patch: string;
  /** Path → mode and hash of each file, without `.env`, whose secrets are random, and `base.pack`. */
  files: Record<string, string>;
  /** The content of `base.pack`: versions of Node.js may compress it differently. */
  pristine: Files;
}

/** The programs: Node, and the commands of two releases. */
interface Programs {
  node: string;
  older: string;
  newer: string;
}

/** Code, a list, JSON and YAML: each kind has its own merge code. The first one conflicts. */
const edits = [
  'lowers the same limit',
  'lowers another one in the same table',
  'raises the dependency beside it',
  'changes another one',
  'ignores another, at the same place',
].map(editWhere);
const [conflict = ''] = edits.flatMap(({ outcomes }) => Object.keys(outcomes));
const feature = 'webhooks';

/**
 * Creates a project, edits it as a team would, upgrades it with a conflict, resolves that, removes a feature, adds it
 * again, and checks the result.
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
    files: Object.fromEntries(
      Object.entries(files).filter(([path]) => path !== '.env' && path !== packFile),
    ),
    pristine: pristineTexts(readFileSync(join(root, packFile), 'utf8')),
  };
}

function edit(root: string): void {
  const project = teamProject(filesOf(root));
  for (const { apply } of edits) apply(project);
  saveEdits(root, project);
}

/** The exit code, and the error. */
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

/** The expected outcomes of `upgradeRound`. */
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
