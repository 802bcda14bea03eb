import { countsOf, countsText, linesByOwner, owners } from '../drift/counts.js';
import { type FileDrift, problemWith } from '../drift/file-drift.js';
import { printPatch } from '../pager.js';
import type { Owner } from '../plan/ownership.js';
import type { Terminal } from '../terminal.js';

/**
 * Prints the patches and a summary by owner: on a terminal in a pager, else the patch on stdout and the rest on stderr.
 */
export async function reportDrift(
  changed: FileDrift[],
  terminal: Terminal,
  { isPaged }: { isPaged: boolean },
): Promise<void> {
  const lines = summaryLines(changed);
  terminal.document<'diff'>({
    summary: Object.fromEntries(
      owners.map((owner) => [owner, countsOf(changed.filter((each) => ownerOf(each) === owner))]),
    ),
    files: changed.map(({ file, place, state, patch, problem }) => ({
      path: place,
      from: place === file.path ? undefined : file.path,
      owner: file.owner,
      state,
      added: patch.added,
      removed: patch.removed,
      problem,
      patch: patch.text,
    })),
  });
  const patch = changed.map(({ patch: { text } }) => text).join('');
  await printPatch(patch, lines, terminal, { isPaged });
}

/** One line for each owner, and one for each file that has no patch to show. */
function summaryLines(changed: FileDrift[]): string[] {
  if (changed.length === 0) return ['Nothing differs from what was emitted.'];
  const byOwner = linesByOwner(changed, ownerOf, countsText);
  const special = changed.flatMap((drift) => {
    if (drift.problem) return [problemWith(drift)];
    return drift.state === 'line ends' ? [`${drift.place}: only line ends differ`] : [];
  });
  return [...byOwner, ...special];
}

function ownerOf({ file }: FileDrift): Owner {
  return file.owner;
}
