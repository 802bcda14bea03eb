import type { ManifestFile } from '../plan/manifest.js';
import { sha256Of } from '../plan/manifest.js';
import { isBinary, normalized } from './merge/text-shape.js';

/**
 * The text of a file as it was emitted: the first candidate whose hash is the manifest's. One in which git has changed
 * the line ends fits too.
 * @param candidates in this order: the copy in the record folder, git's blob, a rendering by the same version; each is
 *   fetched only if those before it did not fit
 * @returns undefined if none fits: then nobody knows what the team has edited, and nothing may be overwritten
 */
export function findBase(
  file: Pick<ManifestFile, 'sha256'>,
  candidates: (() => Buffer | undefined)[],
): Buffer | undefined {
  for (const fetch of candidates) {
    const candidate = fetch();
    if (candidate === undefined) continue;
    if (sha256Of(candidate) === file.sha256) return candidate;
    const text = isBinary(candidate) ? candidate : normalized(candidate);
    if (sha256Of(text) === file.sha256) return text;
  }
  return undefined;
}
