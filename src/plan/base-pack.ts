import { deflateSync, inflateSync } from 'node:zlib';
import type { FileToWrite } from '../project/write-tree.js';
import {
  type Manifest,
  type ManifestFile,
  manifestFile,
  manifestPath,
  manifestText,
  recordFolder,
  sha256Of,
} from './manifest.js';
import type { Plan } from './plan-project.js';

/** The pristine texts of a project. */
export const packPath = `${recordFolder}/base.pack`;

/** The packed texts of a `base.pack` by the SHA-256 of each text. Each text is unpacked only when it is asked for. */
type BasePack = ReadonlyMap<string, string>;

/**
 * Reads `base.pack`: one line per file with its path, the SHA-256 of its text, and the text deflated in base64,
 * separated by tabs or by what a formatter has made of them. Other lines are skipped, so that a file with git's
 * conflict markers still gives the texts of both sides.
 */
export function readPack(content: Buffer | undefined): BasePack {
  return new Map(linesIn(content).map(({ sha256, text }) => [sha256, text]));
}

/** The paths whose texts the pack has, undamaged. */
export function pathsIn(content: Buffer | undefined): string[] {
  const pack = readPack(content);
  return linesIn(content).flatMap(({ path, sha256 }) => (path && textIn(pack, sha256) ? path : []));
}

function linesIn(content: Buffer | undefined) {
  const lines = content?.toString('latin1').split('\n') ?? [];
  return lines.flatMap((line) => {
    const [text, sha256, ...path] = line.trim().split(/\s+/).reverse();
    return text && sha256 ? [{ path: path.reverse().join(' '), sha256, text }] : [];
  });
}

/** The text with this hash; undefined if the pack does not have it or it is damaged. */
export function textIn(pack: BasePack, sha256: string): Buffer | undefined {
  const packed = pack.get(sha256);
  if (packed === undefined) return undefined;
  try {
    const text = inflateSync(Buffer.from(packed, 'base64'));
    return sha256Of(text) === sha256 ? text : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes `base.pack` for these files, sorted by path, so that git merges two of them line by line.
 * @param before the pack that is replaced: texts in it keep their bytes, because another Node.js may deflate them
 *   differently
 * @param texts texts that `before` does not have; a file whose text is in neither gets no line
 */
export function packText(
  files: readonly ManifestFile[],
  texts: Iterable<Buffer>,
  before: BasePack,
): Buffer {
  const known = new Map(Array.from(texts, (text) => [sha256Of(text), text]));
  const lines = files.flatMap(({ path, sha256 }) => {
    const packed = before.get(sha256) ?? deflated(known.get(sha256));
    return packed === undefined ? [] : [`${path}\t${sha256}\t${packed}\n`];
  });
  return Buffer.from(lines.sort().join(''));
}

// The texts are short, and memory is allocated for each: settings for long texts take twice the time and save nothing.
const forShortTexts = { memLevel: 6, windowBits: 13, chunkSize: 4095 };

function deflated(text: Buffer | undefined): string | undefined {
  return text && deflateSync(text, forShortTexts).toString('base64');
}

/** The record of a plan: its pristine texts and its manifest. */
export function recordFiles({ version, answers, files }: Plan): FileToWrite[] {
  const lines = files.map((file) => manifestFile(file));
  const texts = files.map(({ content }) => content);
  return recordOf({ version, answers, files: lines, pending: [] }, texts);
}

/**
 * The two files of the record, the manifest last.
 * @param texts pristine texts that are not in the pack yet
 * @param packBefore the current `base.pack`
 */
export function recordOf(
  manifest: Manifest,
  texts: Iterable<Buffer>,
  packBefore?: Buffer,
): FileToWrite[] {
  const pack = packText(manifest.files, texts, readPack(packBefore));
  return [
    { path: packPath, content: pack, mode: 0o644 },
    { path: manifestPath, content: Buffer.from(manifestText(manifest)), mode: 0o644 },
  ];
}
