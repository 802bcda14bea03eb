import { changedCode } from './edits/changed-code.js';
import { dataFiles } from './edits/data-files.js';
import { movedFiles } from './edits/moved-files.js';
import { ownCode } from './edits/own-code.js';
import type { TeamEdit } from './team-edit.js';

/** Every edit, in the order of the table. */
export const allEdits: TeamEdit[] = [...ownCode, ...changedCode, ...movedFiles, ...dataFiles];

/** The first edit beside which the template does this. */
export function editWhere(template: string): TeamEdit {
  const edit = allEdits.find((each) => each.template === template);
  if (!edit) throw new Error(`no edit of the corpus has a template that ${template}`);
  return edit;
}
