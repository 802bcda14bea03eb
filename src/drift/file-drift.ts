import { type FilePatch, filePatch, type Side } from '../diff/file-patch.js';
import { UserError } from '../errors.js';
import type { ManifestFile } from '../plan/manifest.js';
import { isExactly, isUnedited } from '../upgrade/unedited.js';

/**
 * What became of a file since it was emitted. `line ends`: lines differ only in how they end. `formatted`: only what a
 * formatter decides differs. `moved`: nothing but its place; an `edited` file may have been moved as well. `unknown`:
 * it cannot be compared.
 */
export type DriftState =
  | 'pristine'
  | 'edited'
  | 'formatted'
  | 'moved'
  | 'line ends'
  | 'mode'
  | 'deleted'
  | 'unknown';

/** One emitted file beside what the team made of it. */
export interface FileDrift {
  file: ManifestFile;
  /** Its path in the project; if it is gone, the last one known. */
  place: string;
  state: DriftState;
  /** From the pristine text to the team's. */
  patch: FilePatch;
  /** Why it is `unknown`. */
  problem?: string;
}

/** What is known about a file before it is compared. */
export interface Found {
  place: string;
  /** The pristine text; undefined if it is not needed or cannot be found. */
  base: Buffer | undefined;
  /** The project's file; undefined if it does not exist. */
  now: Side;
}

const noPatch: FilePatch = { text: '', added: 0, removed: 0 };

export function fileDrift(file: ManifestFile, { place, base, now }: Found): FileDrift {
  if (!now) return gone(file, place, base);
  const isMoved = place !== file.path;
  const hasOtherMode = isExecutable(now.mode) !== isExecutable(file.mode);
  const patchFrom = (before: Buffer, after: Buffer) =>
    filePatch(
      place,
      { content: before, mode: file.mode },
      { content: after, mode: now.mode },
      file.path,
    );
  if (isUnedited(now.content, file)) {
    const patch = patchFrom(now.content, now.content);
    if (isMoved) return { file, place, state: 'moved', patch };
    if (hasOtherMode) return { file, place, state: 'mode', patch };
    return {
      file,
      place,
      state: isExactly(now.content, file) ? 'pristine' : 'line ends',
      patch: noPatch,
    };
  }
  if (!base) return unreadable(file, place, new UserError('Its pristine text is missing.'));
  const isText = file.kind !== 'binary' && !now.content.includes(0);
  const after = isText ? withLineEndsOf(base, now.content) : now.content;
  return { file, place, state: 'edited', patch: patchFrom(base, after) };
}

/** A file that cannot be compared, and why. */
export function unreadable(file: ManifestFile, place: string, { message }: UserError): FileDrift {
  return { file, place, state: 'unknown', patch: noPatch, problem: message };
}

function gone(file: ManifestFile, place: string, base: Buffer | undefined): FileDrift {
  const before = base && { content: base, mode: file.mode };
  return { file, place, state: 'deleted', patch: filePatch(file.path, before, undefined) };
}

function isExecutable(mode: number): boolean {
  return (mode & 0o100) !== 0;
}

/** The content with the line ends of the model, so that a comparison shows what people have changed. */
function withLineEndsOf(model: Buffer, content: Buffer): Buffer {
  if (model.includes('\r\n') || !content.includes('\r\n')) return content;
  return Buffer.from(content.toString().replaceAll('\r\n', '\n'));
}
