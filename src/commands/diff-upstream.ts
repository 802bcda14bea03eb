import type { Catalog } from '../catalog/catalog.js';
import type { FilePatch } from '../diff/file-patch.js';
import { linesByOwner, totals } from '../drift/counts.js';
import { foundExitCode } from '../errors.js';
import { printPatch } from '../pager.js';
import { refuseHalfWay } from '../project/changes/heal-project.js';
import { pathsNamed } from '../project/named-files.js';
import { openProject } from '../project/open-project.js';
import { openTerminal, type Terminal } from '../terminal.js';
import { besidePath } from '../upgrade/pair-files.js';
import type { FileOutcome, UpgradePlan } from '../upgrade/upgrade-plan.js';
import type { DiffFlags } from './diff.js';
import { refuseDowngrade, replan } from './open-for-change.js';
import { asComment, heldBackPatch, patchOf } from './patches.js';
import { countsOf } from './upgrade-report.js';

/** What an upgrade would do to one file. */
interface UpstreamChange {
  outcome: FileOutcome;
  /** From the team's text to what the upgrade would write. */
  patch: FilePatch;
}

/**
 * Shows what an upgrade would bring, without writing anything.
 * @returns the exit code: with `--check` 3 if it would bring something
 * @throws UserError if there is no project here, or a path names nothing that was emitted
 */
export async function diffUpstream(
  catalog: Catalog,
  paths: string[],
  flags: DiffFlags,
): Promise<number> {
  const terminal = openTerminal(flags);
  const project = openProject(process.cwd());
  refuseHalfWay(project.root);
  refuseDowngrade(project);
  const { next, plan } = await replan(catalog, project, project.manifest.answers);
  const { pending } = project.manifest;
  const known = [...project.manifest.files, ...next.files].map(({ path }) => path);
  const places = plan.outcomes.map(({ path }) => path);
  const named = pathsNamed(project.root, [...known, ...places], paths);
  const all = changesOf(plan, project.root);
  const changes = all.filter(({ outcome: { path, id } }) => named.has(path) || named.has(id));
  const nothing =
    all.length > 0
      ? [
          `Nothing for ${paths.join(', ')}.`,
          'For the rest: npx create-auth-service diff --upstream',
        ]
      : [`Nothing: this project is already at ${plan.to}.`];
  await report(plan, changes, pending, nothing, terminal);
  return flags.check && changes.some(isNews) ? foundExitCode : 0;
}

/** False for what an earlier upgrade has already reported. */
function isNews({ outcome: { outcome } }: UpstreamChange): boolean {
  return outcome !== 'unchanged';
}

function changesOf({ outcomes, changes }: UpgradePlan, root: string): UpstreamChange[] {
  return outcomes
    .filter(({ outcome, upstream }) => outcome !== 'unchanged' || upstream)
    .map((outcome) => {
      const paths = [outcome.from, outcome.path, besidePath(outcome.path)];
      const own = changes.filter(({ path }) => paths.includes(path));
      return { outcome, patch: patchOf(root, own, [outcome]) };
    });
}

async function report(
  { from, to }: UpgradePlan,
  changes: UpstreamChange[],
  pending: string[],
  nothing: string[],
  terminal: Terminal,
): Promise<void> {
  terminal.document<'diffUpstream'>({
    from,
    to,
    pending,
    files: changes.map(({ outcome, patch }) => ({
      path: outcome.path,
      from: outcome.from,
      owner: outcome.owner,
      outcome: outcome.outcome,
      note: outcome.note,
      added: patch.added,
      removed: patch.removed,
      patch: patch.text,
      keptPatch: outcome.upstream && heldBackPatch(outcome.path, outcome.upstream).text,
    })),
  });
  const patch = changes.map((change) => change.patch.text + asComment(change.outcome)).join('');
  const waiting =
    pending.length > 0 ? [`Pending since the last change: ${pending.join(', ')}`] : [];
  const ofNothing = waiting.length > 0 ? [] : nothing;
  const summary = changes.length > 0 ? summaryLines(from, to, changes) : ofNothing;
  const lines = [...waiting, ...summary];
  await printPatch(patch, lines, terminal);
}

function summaryLines(from: string, to: string, changes: UpstreamChange[]): string[] {
  const byOwner = linesByOwner(changes.filter(isNews), ({ outcome }) => outcome.owner, countsText);
  const withNote = changes.filter(({ outcome }) => outcome.note !== undefined);
  const title =
    from === to
      ? 'What an upgrade would bring:'
      : `What the upgrade from ${from} to ${to} would bring:`;
  return [
    byOwner.length > 0 ? title : 'Held back before, shown as comments:',
    ...byOwner,
    ...withNote.map(({ outcome: { path, note } }) => `${path}: ${note}`),
  ];
}

function countsText(files: UpstreamChange[]): string {
  return totals(countsOf(files.map(({ outcome }) => outcome)), files);
}
