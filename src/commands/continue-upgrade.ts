import { cwd } from 'node:process';
import { pendingExitCode, UserError } from '../errors.js';
import { manifestText } from '../plan/manifest.js';
import { finishChanges } from '../project/changes/finish-changes.js';
import { commitPaths } from '../project/git/commit-paths.js';
import { restoreIndex } from '../project/git/index-stages.js';
import { lookAtRepository } from '../project/git/repository.js';
import { findProject, openProject, type Project } from '../project/open-project.js';
import { readProjectFile } from '../project/read-file.js';
import { openTerminal } from '../terminal.js';
import { pathsToDecide, type StillPending, stillPending } from '../upgrade/still-pending.js';
import type { ChangeFlags } from './carry-out.js';
import { healAndTell } from './open-for-change.js';

/**
 * Ends a change that waited for decisions, if all are taken.
 * @returns the exit code: 2 if something is still open; then nothing is changed
 */
export async function continueUpgrade(flags: ChangeFlags): Promise<number> {
  const terminal = openTerminal(flags);
  const root = findProject(cwd());
  healAndTell(root, terminal);
  const project = openProject(root);
  const { pending, version } = project.manifest;
  const open = stillOpen(project);
  terminal.document({ done: open.length === 0, pending: open.length === 0 ? [] : pending, open });
  if (pending.length === 0) {
    terminal.say('Nothing to continue: nothing is pending.');
    return 0;
  }
  if (open.length > 0) {
    terminal.say('Not decided yet:');
    for (const { path, reason } of open) {
      terminal.say(`  ${terminal.paint('yellow', path)}: ${reason}`);
    }
    return pendingExitCode;
  }
  const repository = await lookAtRepository(root);
  if (flags.commit && !repository) throw new UserError('--commit needs git and a repository.');
  const finished = finishChanges(root, manifestText({ ...project.manifest, pending: [] }));
  await restoreIndex(root, finished.index, { onlyUnmerged: true });
  terminal.say(`${terminal.paint('green', 'Done')}: everything is decided.`);
  if (flags.commit) {
    const known = finished.paths.filter(
      (path) => repository?.tracked.has(path) || readProjectFile(root, path),
    );
    const message = `Upgrade to create-auth-service ${version}`;
    const { remark } = await commitPaths(root, known, message);
    if (remark) terminal.say(remark);
  }
  return 0;
}

function stillOpen({ root, manifest: { pending } }: Project): StillPending[] {
  const contents = pathsToDecide(pending).flatMap((path) => {
    const file = readProjectFile(root, path);
    return file ? [[path, file.content] as const] : [];
  });
  return stillPending(pending, new Map(contents));
}
