import { pendingExitCode } from '../errors.js';
import { paintedPatch } from '../pager.js';
import type { Committed } from '../project/git/commit.js';
import { patchOf } from '../project/preview.js';
import type { Terminal } from '../terminal.js';
import type { FileOutcome, Outcome } from '../upgrade/upgrade-plan.js';
import type { Change } from './carry-out.js';

// What somebody has to do something about comes first; of the long groups only the beginning is shown.
const groups: { outcome: Outcome; title: string; isPending?: true; isShort?: true }[] = [
  {
    outcome: 'conflict',
    title: 'Conflict, marked in the file or beside it as .template',
    isPending: true,
  },
  {
    outcome: 'beside',
    title: "Yours stays, the template's text lies beside as .template",
    isPending: true,
  },
  {
    outcome: 'no-base',
    title: "Not comparable, the template's text lies beside as .template",
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

/** How a change went. */
export interface Done {
  /** Files that were written or removed, the record included. */
  written: number;
  committed: Committed | undefined;
}

/** Prints what would be changed. @returns the exit code */
export async function reportPlanned(
  change: Change,
  { withPatch }: { withPatch: boolean },
  terminal: Terminal,
): Promise<number> {
  const patch = withPatch ? await patchOf(change.project.root, change.plan.changes) : undefined;
  if (terminal.isForPrograms) {
    terminal.document({ ...described(change), dryRun: true, patch });
    return 0;
  }
  if (patch !== undefined) {
    terminal.output.write(terminal.output.isTTY ? paintedPatch(patch, terminal) : patch);
    return 0;
  }
  sayOutcomes(change, terminal);
  terminal.say('');
  terminal.say(`${countOf(change)} Nothing was written.`);
  return 0;
}

/** Prints what was changed and what is to be done now. @returns the exit code: 2 if something is pending */
export function reportDone(
  change: Change,
  { written, committed }: Done,
  terminal: Terminal,
): number {
  const { plan } = change;
  terminal.document({
    ...described(change),
    written,
    committed: committed?.isCommitted ?? false,
    ...(committed?.remark ? { gitRemark: committed.remark } : {}),
  });
  if (written === 0) {
    terminal.say('Nothing to do.');
    return 0;
  }
  sayOutcomes(change, terminal);
  sayList(terminal, 'Next:', plan.nextSteps);
  terminal.say('');
  if (committed?.remark) terminal.say(committed.remark);
  const count = plan.pending.length;
  if (count === 0) {
    terminal.say(`${terminal.paint('green', 'Done')}: ${change.title}. ${countOf(change)}`);
    return 0;
  }
  const waiting = `${count} ${count === 1 ? 'file waits' : 'files wait'} for your decision.`;
  terminal.say(`${terminal.paint('yellow', 'Not done yet')}: ${waiting}`);
  return pendingExitCode;
}

function described({ title, plan, notes = [] }: Change): object {
  const { from, to, outcomes, pending, nextSteps } = plan;
  const files = outcomes.map(({ id, path, from: source, owner, outcome, note }) => ({
    id,
    path,
    ...(source === undefined ? {} : { from: source }),
    owner,
    outcome,
    ...(note === undefined ? {} : { note }),
  }));
  return { title, from, to, notes, summary: countsOf(outcomes), files, pending, nextSteps };
}

function sayOutcomes({ title, notes = [], plan: { outcomes } }: Change, terminal: Terminal): void {
  terminal.say(terminal.paint('bold', title));
  for (const sentence of notes) terminal.say(sentence);
  for (const { outcome, title: heading, isPending, isShort } of groups) {
    const files = outcomes.filter((each) => each.outcome === outcome);
    if (files.length === 0) continue;
    const isCut = isShort && !terminal.isVerbose && files.length > shownOfShort + 1;
    const shown = isCut ? files.slice(0, shownOfShort) : files;
    const lines = shown.map(lineOf);
    if (isCut) lines.push(`and ${files.length - shown.length} more (all with --verbose)`);
    terminal.say('');
    terminal.say(terminal.paint(isPending ? 'yellow' : 'cyan', `${heading} (${files.length})`));
    for (const line of lines) terminal.say(`  ${line}`);
  }
}

function lineOf({ path, from, note }: FileOutcome): string {
  const name = from === undefined ? path : `${from} → ${path}`;
  return note === undefined ? name : `${name}: ${note}`;
}

export function sayList(terminal: Terminal, title: string, lines: string[]): void {
  if (lines.length === 0) return;
  terminal.say('');
  terminal.say(title);
  for (const line of lines) terminal.say(`  ${terminal.paint('cyan', line)}`);
}

function countOf({ plan: { outcomes } }: Change): string {
  const counts = countsOf(outcomes);
  const parts = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`);
  return parts.length === 0 ? 'No files.' : `${parts.join(', ')}.`;
}

/** How many files came out how, in the order of the report. */
function countsOf(outcomes: FileOutcome[]): Partial<Record<Outcome, number>> {
  const order: Outcome[] = [...groups.map(({ outcome }) => outcome), 'unchanged'];
  return Object.fromEntries(
    order.flatMap((outcome) => {
      const count = outcomes.filter((each) => each.outcome === outcome).length;
      return count === 0 ? [] : [[outcome, count]];
    }),
  );
}
