import type { TeamEdit } from './team-edit.js';

/** Edits that can be made in one project. */
export interface Group {
  name: string;
  edits: TeamEdit[];
}

/**
 * Puts edits together that touch no file in common, as few groups as come of it; only those of code and settings, for
 * a compiler has nothing to say of the others. A sweeping edit is a group of its own.
 * @param touchedBy the paths that each edit touches
 */
export function groupsOf(edits: TeamEdit[], touchedBy: Map<TeamEdit, Set<string>>): Group[] {
  const groups: { edits: TeamEdit[]; touched: Set<string> }[] = [];
  for (const edit of edits) {
    const touched = touchedBy.get(edit) ?? new Set();
    const paths = [...touched, ...Object.keys(edit.outcomes)];
    const isCode = paths.some((path) => /\.ts$|^(tsconfig|biome)\.json$/.test(path));
    if (!isCode || edit.changesNoCode) continue;
    const group = groups.find((each) => isFree(each, edit, paths));
    if (group) {
      group.edits.push(edit);
      for (const path of paths) group.touched.add(path);
    } else groups.push({ edits: [edit], touched: new Set(paths) });
  }
  return groups.map((group, index) => ({ name: `group-${index}`, edits: group.edits }));
}

function isFree(
  group: { edits: TeamEdit[]; touched: Set<string> },
  edit: TeamEdit,
  paths: string[],
): boolean {
  const isAlone = edit.isSweeping || group.edits.some(({ isSweeping }) => isSweeping);
  return !isAlone && !paths.some((path) => group.touched.has(path));
}
