import { type ManifestFile, sha256Of } from '../plan/manifest.js';
import { isBinary, normalized } from './merge/text-shape.js';

/**
 * True if the content is a template's text in the manifest, apart from line ends, byte order mark and the end of the
 * last line: the text that the project was given or, if the project keeps an older one, the template's newer one.
 */
export function isUnedited(
  content: Buffer,
  { sha256, offered }: Pick<ManifestFile, 'sha256' | 'offered'>,
): boolean {
  return hashesOf(content).some((hash) => hash === sha256 || hash === offered);
}

/** The hashes that the manifest could have for an unedited file with this content. */
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
