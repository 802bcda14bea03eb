import { countsText } from '../drift/counts.js';
import type { FileDrift } from '../drift/file-drift.js';
import type { Owner } from '../plan/ownership.js';
import type { Examined } from './check-project.js';
import { type Finding, note, ok, problem } from './finding.js';

const owners: Record<Owner, string> = {
  ours: 'files that upgrades merge',
  list: 'lists',
  yours: 'files that are yours',
  frozen: 'migrations',
};

/** How far the project is from what was emitted. It was emitted to be edited: nothing here is a problem. */
export function checkDrift({ drift, project }: Examined): Finding[] {
  const refused = new Set(drift.flatMap(({ problem: why }) => why ?? []));
  const changed = drift.filter(({ state, problem: why }) => state !== 'pristine' && !why);
  const byOwner = (Object.keys(owners) as Owner[]).flatMap((owner) => {
    const files = changed.filter(({ file }) => file.owner === owner);
    return files.length > 0
      ? [note('edits', `${owners[owner]}: ${countsText(files)}`, remedyOf(owner, files))]
      : [];
  });
  if (byOwner.length === 0 && refused.size === 0) {
    return [ok('edits', `None in ${project.manifest.files.length} files.`)];
  }
  return [...byOwner, ...[...refused].flatMap(refusedFinding)];
}

/** A migration that has run somewhere describes what that database looks like. */
function remedyOf(owner: Owner, files: FileDrift[]): string {
  const hasOtherCode = files.some(({ state }) => state === 'edited' || state === 'deleted');
  return owner === 'frozen' && hasOtherCode
    ? 'Databases that ran the old text keep what it created: change that with a new migration.'
    : 'npx create-auth-service diff';
}

/** A missing pristine text is reported with the record. */
function refusedFinding(why: string): Finding[] {
  return why.includes('pristine')
    ? []
    : [problem('edits', why, 'Put the file or folder itself there, and make it readable.')];
}
