import { titleOf } from '../advisories/fixed-by.js';
import { pendingExitCode } from '../errors.js';
import { writePatch } from '../pager.js';
import type { Committed } from '../project/git/commit.js';
import type { Terminal } from '../terminal.js';
import type { FileOutcome, Outcome } from '../upgrade/upgrade-plan.js';
import type { Change } from './carry-out.js';
import { asComment, heldBackPatch, patchOf } from './patches.js';

// Groups that need action come first; only the beginning of long groups is shown.
const groups: { outcome: Outcome; title: string; isPending?: true; isShort?: true }[] = [
  {
    outcome: 'conflict',
    title: 'Conflict, marked in the file or beside it as .template',
    isPending: true,
  },
  {
    outcome: 'beside',
    title: "Yours stays, the template's text is beside it as .template",
    isPending: true,
  },
  {
    outcome: 'no-base',
    title: "Not comparable (no-base), the template's text is beside it as .template",
    isPending: true,
  },
  {
    outcome: 'incomplete',
    title: 'Yours, but lacks exports that template code needs',
    isPending: true,
  },
  { outcome: 'deleted', title: 'Deleted by you, changed in the template' },
  { outcome: 'kept', title: 'Kept as you have it' },
  { outcome: 'removed', title: 'Removed', isShort: true },
  { outcome: 'moved', title: 'Moved' },
  { outcome: 'merged', title: 'Merged with your changes' },
  { outcome: 'added', title: 'Added', isShort: true },
  { outcome: 'updated', title: 'Updated', isShort: true },
];

const shownOfShort = 5;

/** The result of a change. */
interface Done {
  /** Files that were written or removed, the record included. */
  written: number;
  committed: Committed | undefined;
}

/** Prints what would be changed. @returns the exit code */
export function reportPlanned(
  change: Change,
  { withPatch }: { withPatch: boolean },
  terminal: Terminal,
): number {
  const { outcomes, changes } = change.plan;
  // What would be written as a patch, and the rest as comments.
  const patch = withPatch
    ? patchOf(change.project.root, changes, outcomes).text + outcomes.map(asComment).join('')
    : undefined;
  if (terminal.isForPrograms) {
    terminal.document<'change'>({ ...described(change), dryRun: true, patch });
    return 0;
  }
  sayOutcomes(change, terminal);
  sayAdvisories(change, 'Would fix', terminal);
  terminal.sayList('Next, after a run without --dry-run:', change.plan.nextSteps);
  terminal.say('');
  terminal.say(`${countOf(change)} Nothing was written.`);
  if (patch !== undefined) writePatch(patch, terminal);
  return 0;
}

/** Prints changes and next steps. @returns the exit code: 2 if something is pending, 1 if git could not commit */
export function reportDone(
  change: Change,
  { written, committed }: Done,
  terminal: Terminal,
): number {
  const { plan, notes = [] } = change;
  if (terminal.isForPrograms) {
    terminal.document<'change'>({
      ...described(change),
      written,
      committed: committed?.isCommitted ?? false,
      gitRemark: committed?.remark,
    });
  }
  if (written === 0 && plan.outcomes.every(({ outcome }) => outcome === 'unchanged')) {
    for (const sentence of notes) terminal.say(sentence);
    terminal.say('Nothing to do.');
    sayAdvisories(change, 'Fixed:', terminal);
    return 0;
  }
  sayOutcomes(change, terminal);
  sayAdvisories(change, 'Fixed:', terminal);
  terminal.sayList('Next:', plan.nextSteps);
  terminal.say('');
  const count = plan.pending.length;
  if (count === 0) {
    if (committed?.isCommitted === false) return warnOfCommit(committed, change.title, terminal);
    terminal.say(`${terminal.paint('green', 'Done')}: ${change.title}. ${countOf(change)}`);
    return 0;
  }
  const waiting = `${count} ${count === 1 ? 'file waits' : 'files wait'} for your decision.`;
  terminal.say(`${terminal.paint('yellow', 'Not done yet')}: ${waiting}`);
  if (committed?.remark) terminal.say(committed.remark);
  warnOfPending(plan.pending, committed !== undefined, terminal);
  return pendingExitCode;
}

/** Everything is written, but not committed as it was asked to be. @returns the exit code */
export function warnOfCommit({ remark }: Committed, title: string, terminal: Terminal): number {
  if (remark) process.stderr.write(`${remark}\n`);
  terminal.say(`${terminal.paint('yellow', 'Written, but not committed')}: ${title}.`);
  return 1;
}

/** With `--quiet` people must still learn that the project is half upgraded. */
export function warnOfPending(
  pending: string[],
  isCommitWanted: boolean,
  { isQuiet }: Terminal,
): void {
  const command = `npx create-auth-service upgrade --continue${isCommitWanted ? ' --commit' : ''}`;
  if (isQuiet) process.stderr.write(`Pending: ${pending.join(', ')}. When decided: ${command}\n`);
}

function described({ title, plan, notes = [], advisories }: Change) {
  const { from, to, outcomes, moves, deletedLayers, pending, nextSteps } = plan;
  const files = outcomes.map(({ upstream, staysAt: _, ...each }) => ({
    ...each,
    ...(upstream && { keptPatch: heldBackPatch(each.path, upstream).text }),
  }));
  const about = advisories && {
    advisories: {
      fixed: advisories.fixed.map(({ id }) => id),
      left: advisories.left.map(({ advisory: { id }, paths }) => ({ id, paths })),
    },
  };
  const summary = countsOf(outcomes);
  return {
    ...{ title, from, to, notes, ...about, summary },
    ...{ files, moves, deletedLayers, pending, nextSteps },
  };
}

function sayOutcomes(
  { title, notes = [], plan, areMovesRefused }: Change,
  terminal: Terminal,
): void {
  const { outcomes, moves, deletedLayers } = plan;
  terminal.say(terminal.paint('bold', title));
  for (const sentence of notes) terminal.say(sentence);
  for (const name of deletedLayers) {
    const command = `npx create-auth-service remove ${name}`;
    terminal.say(
      areMovesRefused
        ? `${notInPlace(name)} Its new files were left out.`
        : `You have deleted ${name}: its new files were left out. To remove the rest of it: ${command}`,
    );
  }
  const guesses = moves.map(
    ({ from, path, alike }) => `${path}: taken for the moved ${from}, ${alike} % alike`,
  );
  const heading = `Taken for moved files, unless you use --no-moves (${moves.length})`;
  if (moves.length > 0) sayGroup(terminal, terminal.paint('yellow', heading), guesses);
  for (const { outcome, title: heading, isPending, isShort } of groups) {
    const files = outcomes.filter((each) => each.outcome === outcome);
    if (files.length === 0) continue;
    const painted = terminal.paint(isPending ? 'yellow' : 'cyan', `${heading} (${files.length})`);
    if (isShort && !terminal.isVerbose) sayBeginning(terminal, painted, files);
    else sayGroup(terminal, painted, files.flatMap(linesOf));
  }
}

/** Prints the beginning of a long group, files with a note first: a note says more than the group does. */
function sayBeginning(terminal: Terminal, heading: string, files: FileOutcome[]): void {
  const hasNote = ({ note }: FileOutcome) => note !== undefined;
  const ordered = [...files.filter(hasNote), ...files.filter((each) => !hasNote(each))];
  const shown = files.length > shownOfShort + 1 ? ordered.slice(0, shownOfShort) : files;
  const more = ordered.slice(shown.length);
  const noted = more.filter(hasNote).length;
  const rest = `and ${more.length} more${noted > 0 ? `, ${noted} with a note` : ''} (all with --verbose)`;
  sayGroup(terminal, heading, [...shown.flatMap(linesOf), ...(more.length > 0 ? [rest] : [])]);
}

/** No `remove` here: it would find the folder at its new place, and remove that. */
export function notInPlace(layer: string): string {
  return `${layer} is not where it was: deleted or moved.`;
}

function sayGroup(terminal: Terminal, heading: string, lines: string[]): void {
  terminal.say('');
  terminal.say(heading);
  for (const line of lines) terminal.say(`  ${line}`);
}

function sayAdvisories({ advisories }: Change, fixed: string, terminal: Terminal): void {
  const { fixed: gone = [], left = [] } = advisories ?? {};
  const lines = [
    ...gone.map((advisory) => terminal.paint('green', `${fixed} ${titleOf(advisory)}`)),
    ...left.map(({ advisory, paths }) =>
      terminal.paint('red', `Not fixed yet: ${titleOf(advisory)} ${paths.join(', ')}`),
    ),
  ];
  if (lines.length > 0) terminal.say('');
  for (const line of lines) terminal.say(line);
}

function linesOf({ path, from, note, conflicts = [], missing = [] }: FileOutcome): string[] {
  const place = from === undefined ? path : `${from} → ${path}`;
  const ranges = conflicts.map((lines) => `${lines.from}–${lines.to}`).join(', ');
  const name = ranges === '' ? place : `${place}, lines ${ranges}`;
  const toAdd = missing.flatMap(({ text = '' }) => text.split('\n')).filter(Boolean);
  return [note === undefined ? name : `${name}: ${note}`, ...toAdd.map((line) => `  ${line}`)];
}

function countOf({ plan: { outcomes } }: Change): string {
  const counts = countsOf(outcomes);
  const parts = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`);
  return parts.length === 0 ? 'No files.' : `${parts.join(', ')}.`;
}

/** How many files had each outcome, in the order of the report. */
export function countsOf(outcomes: FileOutcome[]): Record<string, number> {
  const order: Outcome[] = [...groups.map(({ outcome }) => outcome), 'unchanged'];
  return Object.fromEntries(
    order.flatMap((outcome) => {
      const count = outcomes.filter((each) => each.outcome === outcome).length;
      return count === 0 ? [] : [[outcome, count]];
    }),
  );
}
