import type { ManifestFile } from '../plan/manifest.js';
import type { PlannedFile } from '../plan/plan-project.js';

/** A file of the template before and now; one of them may be missing. */
export type Pair =
  | { id: string; before: ManifestFile; now: PlannedFile | undefined }
  | { id: string; before: undefined; now: PlannedFile };

/** Pairs files with the same id: a file that the template has moved is known, not guessed. */
export function pairFiles(before: ManifestFile[], now: PlannedFile[]): Pair[] {
  const later = new Map(now.map((file) => [file.id, file]));
  const known = new Set(before.map(({ id }) => id));
  return [
    ...before.map((file) => ({ id: file.id, before: file, now: later.get(file.id) })),
    ...now
      .filter(({ id }) => !known.has(id))
      .map((file) => ({ id: file.id, before: undefined, now: file })),
  ];
}
