import { packageManagers } from '../answers/package-managers.js';
import { valuesOf } from '../answers/questions.js';
import { packPath, readPack, textIn } from '../plan/base-pack.js';
import type { Plan } from '../plan/plan-project.js';
import { secretCommand } from '../project/secrets.js';
import { typedPath } from '../quoting.js';
import { formatIsGone } from './merge/merge-text.js';
import { isCode } from './merge/parse-code.js';
import { isOnlyReformatted } from './merge/same-code.js';
import type { UpgradeInput } from './plan-upgrade.js';
import { isUnedited } from './unedited.js';
import type { FileOutcome, UpgradePlan } from './upgrade-plan.js';

/** What an upgrade does, as far as it leaves something to do. */
interface Upgraded extends Pick<UpgradePlan, 'outcomes' | 'pending' | 'changes'> {
  /** What to do about imports that lead nowhere. */
  importSteps: string[];
}

/** What is left to do after an upgrade, in order: commands as they are typed, the rest in words. */
export function nextSteps(input: UpgradeInput, upgraded: Upgraded): string[] {
  const { next, manifest, commit } = input;
  const { outcomes, pending, changes, importSteps } = upgraded;
  const { packageManager } = next.answers;
  const { install, run } = packageManagers[packageManager];
  const scripts = scriptsOf(next);
  const example = exampleAfter(input, upgraded);
  // Another package manager has no lock file yet.
  const isToInstall =
    !valuesOf(manifest.answers, 'packageManager').includes(packageManager) ||
    changes.some(({ path }) => path === 'package.json');
  const hasNewMigrations = outcomes.some(
    ({ owner, outcome }) => owner === 'frozen' && outcome === 'added',
  );
  return [
    ...(pending.length > 0 ? [pendingStep(commit === true)] : []),
    ...heldBackSteps(outcomes),
    ...importSteps,
    ...(isToInstall ? [install] : []),
    ...variableSteps(next, newVariables(input, example), example),
    ...otherValuesStep(changedVariables(input, example), example),
    ...(hasNewMigrations && 'migrate' in scripts ? [`${run} migrate`] : []),
    ...formatStep(input, outcomes),
    ...(changes.length > 0 && 'validate' in scripts ? [`${run} validate`] : []),
  ];
}

function pendingStep(isCommitWanted: boolean): string {
  const command = 'npx create-auth-service upgrade';
  const end = isCommitWanted ? '--continue --commit' : '--continue';
  return `resolve what is pending, then: ${command} ${end} (or, to undo everything: ${command} --abort)`;
}

/** Steps for what an upgrade does not write: somebody has to read it. */
function heldBackSteps(outcomes: FileOutcome[]): string[] {
  const held = outcomes.filter(
    ({ owner, outcome, upstream }) =>
      owner === 'yours' && !['unchanged', 'deleted'].includes(outcome) && upstream?.now,
  );
  const paths = held.map(({ path }) => path);
  if (paths.length === 0) return [];
  const command = `npx create-auth-service diff --upstream ${paths.map(typedPath).join(' ')}`;
  return [`see what the template has changed in ${paths.join(', ')}: ${command}`];
}

/** In words: the templates' script `format` would reformat everything else as well. */
function formatStep(input: UpgradeInput, outcomes: FileOutcome[]): string[] {
  const again = outcomes.filter(({ note }) => note?.includes(formatIsGone)).length;
  const added = outcomes.filter(({ outcome, path }) => outcome === 'added' && isCode(path)).length;
  const isFormatted = again > 0 || (added > 0 && hasOwnFormat(input));
  if (!isFormatted) return [];
  const count = again + added;
  const are = count === 1 ? '1 file is' : `${count} files are`;
  return [`run your formatter: ${are} in the format of the template`];
}

/** True if the team has formatted a program in its own way, without another change. */
function hasOwnFormat({ manifest, project }: UpgradeInput): boolean {
  const pack = readPack(project.get(packPath)?.content);
  return manifest.files.some((file) => {
    const yours = project.get(file.movedTo ?? file.path)?.content;
    if (!yours || !isCode(file.path) || isUnedited(yours, file)) return false;
    const base = textIn(pack, file.sha256);
    return base !== undefined && isOnlyReformatted(file.path, base, yours);
  });
}

/** `.env.example` as the upgrade leaves it or, if the team has deleted it, as the template has it. */
function exampleAfter({ project, next }: UpgradeInput, { outcomes, changes }: Upgraded) {
  const path = outcomes.find(({ id }) => id === exampleId)?.path ?? exampleId;
  const there = changes.find((each) => each.path === path)?.after ?? project.get(path);
  const file = there ?? next.files.find(({ id }) => id === exampleId);
  const restores = `npx create-auth-service regenerate ${exampleId} restores it`;
  const name = there ? path : `${exampleId} (${restores})`;
  return { path, name, text: file?.content.toString() ?? '' };
}

const exampleId = '.env.example';

type Example = ReturnType<typeof exampleAfter>;

/** Only creation generates secrets: `.env` belongs to the team. */
function variableSteps({ env }: Plan, names: string[], { name: example }: Example): string[] {
  const isSecret = new Set(env.filter((each) => each.isSecret).map(({ name }) => name));
  const secrets = names.filter((name) => isSecret.has(name));
  const others = names.filter((name) => !isSecret.has(name));
  return [
    ...secrets.map(secretCommand),
    ...(others.length > 0 ? [`read about new variables in ${example}: ${others.join(', ')}`] : []),
  ];
}

function scriptsOf({ files }: Plan): object {
  const file = files.find(({ path }) => path === 'package.json');
  const { scripts = {} } = JSON.parse(file?.content.toString() ?? '{}') as { scripts?: object };
  return scripts;
}

function otherValuesStep(names: string[], { name }: Example): string[] {
  if (names.length === 0) return [];
  return [`compare .env with ${name}, which has other values now: ${names.join(', ')}`];
}

/** Variables that are in the template's example but neither in the pristine one nor in the team's. */
function newVariables(input: UpgradeInput, { path }: Example): string[] {
  const known = knownExamples(input, path);
  if (known.trim() === '') return [];
  const named = new Set([...known.matchAll(/^#? ?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name));
  return input.next.env.map(({ name }) => name).filter((name) => !named.has(name));
}

/** Variables that have another value in the example afterwards than in the pristine one and in the team's. */
function changedVariables(input: UpgradeInput, { path, text }: Example): string[] {
  const known = new Set(knownExamples(input, path).split(/\r?\n/));
  const names = new Set([...known].map((line) => line.split('=')[0]));
  const lines = text.split(/\r?\n/).filter((line) => !known.has(line));
  const changed = lines.map((line) => line.split('=')[0]);
  return input.next.env
    .map(({ name }) => name)
    .filter((name) => names.has(name) && changed.includes(name));
}

/** The pristine example, if it is needed to know, and the team's. */
function knownExamples({ bases, project }: UpgradeInput, path: string): string {
  return [bases.get(exampleId), project.get(path)?.content].join('\n');
}
