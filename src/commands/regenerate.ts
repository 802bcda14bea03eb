import { cwd } from 'node:process';
import type { Catalog } from '../catalog/catalog.js';
import { UserError } from '../errors.js';
import { filesNamed } from '../project/named-files.js';
import { readBases } from '../project/read-bases.js';
import { readProjectFile } from '../project/read-file.js';
import { openTerminal } from '../terminal.js';
import { planRegenerate } from '../upgrade/plan-regenerate.js';
import { type ChangeFlags, carryOut, checkChangeFlags } from './carry-out.js';
import { openForChange } from './open-for-change.js';
import { renderAgain } from './render-again.js';

export interface RegenerateFlags extends ChangeFlags {
  yes?: boolean;
}

/**
 * Gives files the text back that was emitted.
 * @param paths files and folders; all that was emitted if there are none
 * @returns the exit code
 * @throws UserError if nothing was changed
 */
export async function regenerate(
  catalog: Catalog,
  paths: string[],
  flags: RegenerateFlags,
): Promise<number> {
  checkChangeFlags(flags);
  if (paths.length === 0 && !flags.yes && !flags.dryRun) {
    throw new UserError(
      'Without a path all that you changed in emitted files would be replaced.',
      1,
      'Name files or folders, or say --yes. With --dry-run it is only shown.',
    );
  }
  const terminal = openTerminal(flags);
  const project = openForChange(terminal, { isDryRun: flags.dryRun === true });
  const files = filesNamed(project, paths, cwd());
  const bases = await readBases(project, files, () => renderAgain(catalog, project.manifest));
  const there = files.flatMap((each) => {
    const path = each.movedTo ?? each.path;
    const file = readProjectFile(project.root, path);
    return file ? [[path, file] as const] : [];
  });
  const { manifest } = project;
  const plan = planRegenerate({ manifest, files, bases, project: new Map(there) });
  return carryOut({ project, plan, title: 'Regenerate emitted files' }, flags, terminal);
}
