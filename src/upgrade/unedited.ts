import type { ManifestFile } from '../plan/manifest.js';
import { sha256Of } from '../plan/manifest.js';
import { isBinary, normalized } from './merge/text-shape.js';

/** True if the content is what was emitted, but for line ends, byte order mark and the end of the last line. */
export function isUnedited(content: Buffer, { sha256 }: Pick<ManifestFile, 'sha256'>): boolean {
  return sha256Of(content) === sha256 || sha256Of(comparable(content)) === sha256;
}

/** The hashes that an unedited file with this content could have in the manifest. */
export function hashesOf(content: Buffer): string[] {
  return [sha256Of(content), sha256Of(comparable(content))];
}

/** True if two contents are the same text. */
export function isSameText(one: Buffer, other: Buffer): boolean {
  return one.equals(other) || comparable(one).equals(comparable(other));
}

function comparable(content: Buffer): Buffer {
  return isBinary(content) ? content : normalized(content);
}
