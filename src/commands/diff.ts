import type { Catalog } from '../catalog/catalog.js';
import { shown } from '../doctor/finding.js';
import { countsOf, countsText, linesByOwner, owners } from '../drift/counts.js';
import { type FileDrift, findPlaces, readDrift } from '../drift/file-drift.js';
import { foundExitCode } from '../errors.js';
import { printPatch } from '../pager.js';
import type { Owner } from '../plan/ownership.js';
import { refuseHalfWay } from '../project/changes/heal-project.js';
import { filesNamed } from '../project/named-files.js';
import { openProject } from '../project/open-project.js';
import { type OutputFlags, openTerminal, type Terminal } from '../terminal.js';

export interface DiffFlags extends OutputFlags {
  upstream?: boolean;
  check?: boolean;
}

/**
 * Shows what the team changed in the emitted text.
 * @returns the exit code: with `--check` 3 if there is a difference
 * @throws UserError if there is no project here, a killed run has left it half changed, or a path names nothing emitted
 */
export async function diff(catalog: Catalog, paths: string[], flags: DiffFlags): Promise<number> {
  const terminal = openTerminal(flags);
  const project = openProject(process.cwd());
  refuseHalfWay(project.root);
  const places = await findPlaces(catalog, project);
  const files = filesNamed(project.root, places.files, paths);
  const drift = await readDrift(catalog, project, files);
  const changed = drift.filter(({ state }) => state !== 'pristine');
  await reportDrift(changed, terminal);
  const isDifferent = changed.some(({ patch, problem }) => patch.text !== '' || problem);
  return flags.check && isDifferent ? foundExitCode : 0;
}

/**
 * Prints the patches and a summary by owner: on a terminal in a pager, else the patch on stdout and the rest on stderr.
 */
async function reportDrift(changed: FileDrift[], terminal: Terminal): Promise<void> {
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
  await printPatch(patch, summaryLines(changed), terminal);
}

/** One line for each owner, and what no patch shows. */
function summaryLines(changed: FileDrift[]): string[] {
  if (changed.length === 0) return ['Nothing differs from what was emitted.'];
  const byOwner = linesByOwner(changed, ownerOf, countsText);
  const problems = new Set(changed.flatMap(({ problem }) => problem ?? []));
  const lineEnds = changed.filter(({ state }) => state === 'line ends').map(({ place }) => place);
  const special = lineEnds.length > 0 ? [`Only line ends differ: ${shown(lineEnds)}`] : [];
  return [...byOwner, ...problems, ...special];
}

function ownerOf({ file }: FileDrift): Owner {
  return file.owner;
}
