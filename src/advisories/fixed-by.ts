import type { ManifestFile } from '../plan/manifest.js';
import type { UpgradePlan } from '../upgrade/upgrade-plan.js';
import type { Advisory, ConcernedFile } from './advisory.js';
import { assessCopy } from './assess-copy.js';

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
    const weak = advisory.files.flatMap((file) => {
      const outcome = outcomes.find(({ id }) => id === file.id);
      const path = outcome?.staysAt ?? outcome?.path ?? file.id;
      const isWeak = (content: Buffer | undefined) => isWeakCopy(file, content, files);
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
  file: ConcernedFile,
  content: Buffer | undefined,
  files: ManifestFile[],
): boolean {
  if (!content) return false;
  const emittedSha256 = files.find(({ id }) => id === file.id)?.sha256;
  return ['weak', 'edited'].includes(assessCopy(file, { content, emittedSha256 }).verdict);
}

/** `CAS-2027-001 (high): A reset link works twice.` */
export function titleOf({ id, severity, title }: Advisory): string {
  return `${id} (${severity}): ${title}.`;
}
