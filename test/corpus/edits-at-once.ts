import { rmSync } from 'node:fs';
import { linkedCopy } from './linked-copy.js';
import type { TeamEdit } from './team-edit.js';
import { teamProject } from './team-project.js';

/**
 * Those of the edits that can be made in one project together: none touches what one before it does.
 * @param emitted the project that they are for
 * @param scratch a folder for trying them
 */
export function editsAtOnce(edits: TeamEdit[], emitted: string, scratch: string): TeamEdit[] {
  const taken = new Set<string>();
  return edits.filter((edit) => {
    const paths = pathsOf(edit, emitted, scratch);
    if (paths.some((path) => taken.has(path))) return false;
    for (const path of paths) taken.add(path);
    return true;
  });
}

function pathsOf(edit: TeamEdit, emitted: string, scratch: string): string[] {
  linkedCopy(emitted, scratch);
  const project = teamProject(scratch);
  edit.apply(project);
  rmSync(scratch, { recursive: true });
  return [...project.touched, ...Object.keys(edit.outcomes)];
}
