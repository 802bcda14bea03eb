import type { Files } from '../support/files.js';
import type { TeamEdit } from './team-edit.js';
import { teamProject } from './team-project.js';

/** The paths that an edit affects, in a project with these files. */
function pathsOf(edit: TeamEdit, files: Files): string[] {
  const project = teamProject(files);
  edit.apply(project);
  return [...Object.keys(project.edits()), ...Object.keys(edit.outcomes)];
}

/** The edits that can be made together in one project: none touches a file of another. */
export function editsAtOnce(edits: TeamEdit[], files: Files): TeamEdit[] {
  return groupsOf(edits, files)[0] ?? [];
}

/**
 * Groups edits that have no file in common. A sweeping edit is a group of its own.
 * @param files of the project that they are for
 */
export function groupsOf(edits: TeamEdit[], files: Files): TeamEdit[][] {
  const groups: { edits: TeamEdit[]; taken: Set<string>; isClosed: boolean }[] = [];
  for (const edit of edits) {
    const paths = pathsOf(edit, files);
    const isAlone = edit.isSweeping === true;
    const free = groups.find(
      ({ taken, isClosed }) => !isAlone && !isClosed && !paths.some((path) => taken.has(path)),
    );
    const group = free ?? { edits: [], taken: new Set(), isClosed: isAlone };
    if (!free) groups.push(group);
    group.edits.push(edit);
    for (const path of paths) group.taken.add(path);
  }
  return groups.map((group) => group.edits);
}

/** True if a compiler or a linter checks it. */
export function changesCode(edit: TeamEdit, files: Files): boolean {
  const isCode = (path: string) => /\.ts$|^(tsconfig|biome)\.json$/.test(path);
  return !edit.changesNoCode && pathsOf(edit, files).some(isCode);
}
