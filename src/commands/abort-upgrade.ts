import { cwd } from 'node:process';
import { UserError } from '../errors.js';
import { abortChanges } from '../project/changes/abort-changes.js';
import { restoreIndex } from '../project/git/index-stages.js';
import { findProject, openProject } from '../project/open-project.js';
import { type OutputFlags, openTerminal } from '../terminal.js';
import { healAndTell } from './open-for-change.js';

/**
 * Puts everything back as it was before the change that waits for decisions.
 * @returns the exit code
 * @throws UserError if what it was like before is not known here
 */
export async function abortUpgrade(flags: OutputFlags): Promise<number> {
  const terminal = openTerminal(flags);
  const root = findProject(cwd());
  const isHealed = healAndTell(root, terminal);
  if (openProject(root).manifest.pending.length === 0) {
    terminal.document({ aborted: false, healed: isHealed, kept: [] });
    if (!isHealed) terminal.say('Nothing to abort: nothing is pending.');
    return 0;
  }
  const aborted = abortChanges(root);
  if (!aborted) throw nothingKept();
  await restoreIndex(root, aborted.index, { onlyUnmerged: false });
  terminal.document({ aborted: true, healed: isHealed, kept: aborted.kept });
  terminal.say('Everything is as it was before.');
  for (const path of aborted.kept) terminal.say(`Written since, so it was kept: ${path}`);
  return 0;
}

function nothingKept(): UserError {
  return new UserError(
    'How the files were before is not known here: the change was made in another checkout, or on another branch.',
    1,
    'Go back by git, to the commit before it.',
  );
}
