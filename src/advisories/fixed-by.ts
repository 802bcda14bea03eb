import type { ManifestFile } from '../plan/manifest.js';
import type { UpgradePlan } from '../upgrade/upgrade-plan.js';
import { type Advisory, type ConcernedFile, entriesByFile } from './advisory.js';
import { assessByAll } from './assess-copy.js';

/** The effect of a change on the project's known vulnerabilities. */
export type AdvisoriesAfter = ReturnType<typeof advisoriesAfter>;

/**
 * Which of the project's vulnerabilities a plan removes, and which it leaves, each with the copies that have it.
 * @param read reads a file of the project as it is now
 */
export function advisoriesAfter(
  advisories: Advisory[],
  files: ManifestFile[],
  { outcomes, changes }: UpgradePlan,
  read: (path: string) => Buffer | undefined,
) {
  const after = new Map(changes.map((change) => [change.path, change.after?.content]));
  const judged = advisories.map((advisory) => {
    const weak = [...entriesByFile(advisory)].flatMap(([fileId, entries]) => {
      const outcome = outcomes.find(({ id }) => id === fileId);
      const emittedSha256 = files.find(({ id }) => id === fileId)?.sha256;
      const path = outcome?.staysAt ?? outcome?.path ?? fileId;
      const isWeak = (content: Buffer | undefined) => isWeakCopy(entries, content, emittedSha256);
      if (!isWeak(read(outcome?.from ?? path))) return [];
      return [{ path, isLeft: isWeak(after.has(path) ? after.get(path) : read(path)) }];
    });
    const paths = weak.filter(({ isLeft }) => isLeft).map(({ path }) => path);
    return { advisory, paths, isFixed: weak.length > 0 && paths.length === 0 };
  });
  return {
    fixed: judged.filter(({ isFixed }) => isFixed).map(({ advisory }) => advisory),
    left: judged.filter(({ paths }) => paths.length > 0),
  };
}

function isWeakCopy(
  entries: ConcernedFile[],
  content: Buffer | undefined,
  emittedSha256: string | undefined,
): boolean {
  if (!content) return false;
  return ['weak', 'edited'].includes(assessByAll(entries, { content, emittedSha256 }).verdict);
}

/** `CAS-2027-001 (high): A reset link works twice.` */
export function titleOf({ id, severity, title }: Advisory): string {
  return `${id} (${severity}): ${title}.`;
}
