import { resolve } from 'node:path';
import type { FlagValues } from '../answers/flags.js';
import { packageManagers } from '../answers/package-managers.js';
import { flagOf, type Question } from '../answers/questions.js';
import { type Request, summaryLines } from '../answers/request.js';
import { writePatch } from '../pager.js';
import { recordFolder } from '../plan/manifest.js';
import type { Plan } from '../plan/plan-project.js';
import type { Committed } from '../project/git/commit.js';
import type { Installed } from '../project/install.js';
import { secretCommand } from '../project/secrets.js';
import { quoted, typedPath } from '../quoting.js';
import type { Terminal } from '../terminal.js';
import { asArgument } from './command-names.js';
import type { CreateChanges, LeftBehind } from './create-files.js';
import { patchOf } from './patches.js';

/** A creation in progress. */
export interface Creation {
  questions: Question[];
  request: Request;
  plan: Plan;
  flags: FlagValues;
  terminal: Terminal;
}

/** The outcome of each step; undefined if the step was skipped. */
interface Outcome extends Omit<CreateChanges, 'changes'> {
  installed: Installed | undefined;
  committed: Committed | undefined;
}

const shownOfReplaced = 10;

/** Prints what was made and what to do next. @returns the exit code */
export function report(creation: Creation, outcome: Outcome): number {
  const { replaced, left, envLacks, installed, committed } = outcome;
  const { plan, request, terminal } = creation;
  const isInstalled = installed !== undefined && !installed.problem;
  const steps = nextSteps(creation, isInstalled, envLacks, committed?.toCommit);
  const again = againLine(creation);
  terminal.document<'create'>({
    ...described(creation),
    replaced,
    ...left,
    installed: isInstalled,
    installProblem: installed?.problem,
    committed: committed?.isCommitted ?? false,
    gitRemark: committed?.remark,
    nextSteps: steps,
    commandLine: again,
  });
  sayWhatIsSpecial(creation, outcome);
  if (terminal.isQuiet) warnOfFailure(outcome, steps);
  const done = terminal.paint('green', 'Created');
  terminal.say(`${done} ${request.directory} with ${plan.files.length} files.`);
  terminal.sayList('Next:', steps);
  if (plan.urls.start) terminal.sayList('Then open:', [plan.urls.start]);
  terminal.sayList('The same project again:', [again]);
  return installed?.problem ? 1 : 0;
}

/** With `--quiet` people must still learn what is missing, and what to type. */
function warnOfFailure({ installed, committed }: Outcome, steps: string[]): void {
  const remark = committed?.toCommit ? [committed.remark] : [];
  if (!installed?.problem && remark.length === 0) return;
  process.stderr.write(`${[...remark, ...indented(steps)].join('\n')}\n`);
}

const indented = (steps: string[]) => steps.map((step) => `  ${step}`);

/** Prints what would be made: the tree, or with `--diff` a patch. @returns the exit code */
export function reportDryRun(
  creation: Creation,
  { changes, replaced, left, envLacks }: CreateChanges,
): number {
  const { plan, request, questions, flags, terminal } = creation;
  const shown = changes.filter(({ path }) => path !== '.env' && !path.startsWith(recordFolder));
  const patch = flags.diff ? patchOf(resolve(request.directory), shown).text : undefined;
  terminal.document<'create'>({
    ...described(creation),
    replaced,
    ...left,
    dryRun: true,
    patch,
    commandLine: againLine(creation),
  });
  const written = changes.flatMap(({ path, after }) => (after ? [path] : [])).sort();
  for (const line of [...request.remarks, ...summaryLines(questions, request)]) terminal.say(line);
  const tree = patch === undefined ? ['', ...treeLines(written)] : [];
  for (const line of tree) terminal.say(line);
  terminal.sayList('Would be replaced:', replaced);
  sayLeft(left, terminal);
  if (envLacks) terminal.say(`\n${keptText(envLacks)}`);
  terminal.say(`\n${plan.files.length} files. Nothing was written.`);
  if (patch !== undefined && !flags.json) writePatch(patch, terminal);
  return 0;
}

/** Says what to do next with a project that is written, and what a signal has left out of it. */
export function reportInterrupted(
  creation: Creation,
  { envLacks }: CreateChanges,
  missing: { installed: boolean; toCommit: string | undefined },
): void {
  const steps = nextSteps(creation, missing.installed, envLacks, missing.toCommit);
  const what = missing.installed ? 'its first commit is' : 'its dependencies are';
  process.stderr.write(
    `\nInterrupted. The project is there, ${what} not.\n${indented(steps).join('\n')}\n`,
  );
}

function sayWhatIsSpecial(
  { request: { answers, remarks }, terminal }: Creation,
  { replaced, left, envLacks, installed, committed }: Outcome,
): void {
  for (const sentence of remarks) terminal.say(sentence);
  const shown = terminal.isVerbose ? replaced : replaced.slice(0, shownOfReplaced);
  const more = replaced.length - shown.length;
  const rest = more > 0 ? [`and ${more} more (all with --verbose)`] : [];
  terminal.sayList('Replaced:', [...shown, ...rest]);
  sayLeft(left, terminal);
  if (envLacks) terminal.say(keptText(envLacks));
  if (committed?.remark) terminal.say(committed.remark);
  if (installed?.problem) {
    process.stderr.write(
      `${installed.problem}\n${answers.packageManager} could not install. The project is there.\n`,
    );
  }
}

function sayLeft({ removed, kept }: LeftBehind, terminal: Terminal): void {
  const title = 'No longer in the project';
  terminal.sayList(`${title}, removed:`, removed);
  terminal.sayList(`${title}, kept because edited or a migration:`, kept);
}

function keptText(lacks: string[]): string {
  return lacks.length > 0 ? `.env was kept; it lacks ${lacks.join(', ')}.` : '.env was kept.';
}

function described({ request: { directory, answers, remarks }, plan }: Creation) {
  const files = plan.files.map(({ path }) => path);
  return { directory, version: plan.version, answers, remarks, files, urls: plan.urls };
}

/** The files as a tree of folders, one name per line. The paths must be sorted. */
function treeLines(paths: string[]): string[] {
  let before: string[] = [];
  return paths.flatMap((path) => {
    const steps = path.split('/');
    const shared = steps.findIndex((step, depth) => step !== before[depth]);
    before = steps;
    return steps.slice(shared).map((step, position) => {
      const depth = shared + position;
      return `${'  '.repeat(depth)}${step}${depth < steps.length - 1 ? '/' : ''}`;
    });
  });
}

/** What to type in the new project, in order. */
function nextSteps(
  { request, plan }: Creation,
  isInstalled: boolean,
  envLacks: string[] = [],
  toCommit?: string,
): string[] {
  const { directory, answers } = request;
  const { install } = packageManagers[answers.packageManager];
  return [
    ...(directory === '.' ? [] : [`cd ${typedPath(directory)}`]),
    ...(toCommit ? [toCommit] : []),
    ...(isInstalled ? [] : [install]),
    ...envLacks.map(secretCommand),
    ...plan.nextSteps,
  ];
}

/** The command that makes the same project again without asking anything. */
function againLine({ questions, request, plan, flags }: Creation): string {
  const { directory, answers } = request;
  const answered = questions.filter(({ key }) => answers[key] !== undefined);
  const given = answered.flatMap((question) => {
    const values = [answers[question.key]].flat();
    return [flagOf(question), quoted(values.join(',') || 'none')];
  });
  const skipped = ['install', 'git'].filter((step) => flags[step] === false);
  return [
    `${packageManagers[answers.packageManager].once} create-auth-service@${plan.version}`,
    quoted(asArgument(directory)),
    ...given,
    ...skipped.map((step) => `--no-${step}`),
  ].join(' ');
}
