import type { Catalog } from '../catalog/catalog.js';
import { findPlaces, readDrift } from '../drift/file-drift.js';
import { foundExitCode } from '../errors.js';
import { filesNamed } from '../project/named-files.js';
import { openProject } from '../project/open-project.js';
import { type OutputFlags, openTerminal } from '../terminal.js';
import { reportDrift } from './diff-report.js';

export interface DiffFlags extends OutputFlags {
  upstream?: boolean;
  check?: boolean;
  /** False after `--no-pager`. */
  pager?: boolean;
}

/**
 * Shows what the team changed in the emitted text.
 * @returns the exit code: with `--check` 3 if there is a difference
 * @throws UserError if there is no project here, or a path names nothing that was emitted
 */
export async function diff(catalog: Catalog, paths: string[], flags: DiffFlags): Promise<number> {
  const terminal = openTerminal(flags);
  const project = openProject(process.cwd());
  const places = await findPlaces(catalog, project);
  const files = filesNamed(project.root, places.files, paths, process.cwd());
  const drift = await readDrift(catalog, project, files);
  const changed = drift.filter(({ state }) => state !== 'pristine');
  await reportDrift(changed, terminal, { isPaged: flags.pager !== false });
  const isDifferent = changed.some(({ patch, problem }) => patch.text !== '' || problem);
  return flags.check && isDifferent ? foundExitCode : 0;
}
