import { type FilePatch, filePatch, type Side } from '../diff/file-patch.js';
import { UserError } from '../errors.js';
import { type ManifestFile, sha256Of } from '../plan/manifest.js';
import { normalised, withLineEndsOf } from './same-text.js';

/**
 * What became of a file since it was emitted. With `line ends` no line differs but in how it ends.
 * `unknown` has no pristine text to compare with.
 */
export type DriftState = 'pristine' | 'edited' | 'line ends' | 'mode' | 'deleted' | 'unknown';

/** One emitted file beside what the team made of it. */
export interface FileDrift {
  file: ManifestFile;
  state: DriftState;
  /** From the pristine text to the team's. */
  patch: FilePatch;
  /** Why it is `unknown`. */
  problem?: string;
}

const noPatch: FilePatch = { text: '', added: 0, removed: 0 };

/**
 * @param base the pristine text; undefined if it cannot be had
 * @param now the file as it lies in the project; undefined if it is not there
 */
export function fileDrift(file: ManifestFile, base: Buffer | undefined, now: Side): FileDrift {
  if (now && sha256Of(now.content) === file.sha256) {
    const isSame = isExecutable(now.mode) === isExecutable(file.mode);
    const side = { content: now.content, mode: file.mode };
    return isSame
      ? { file, state: 'pristine', patch: noPatch }
      : { file, state: 'mode', patch: filePatch(placeOf(file), side, now) };
  }
  if (!base && now) return unreadable(file, new UserError(`Its pristine text is missing.`));
  if (!base) return { file, state: 'deleted', patch: noPatch };
  const before = { content: base, mode: file.mode };
  if (!now) return { file, state: 'deleted', patch: filePatch(placeOf(file), before, now) };
  const isText = file.kind !== 'binary' && !now.content.includes(0);
  if (isText && normalised(base) === normalised(now.content)) {
    return { file, state: 'line ends', patch: noPatch };
  }
  const content = isText ? withLineEndsOf(base, now.content) : now.content;
  return { file, state: 'edited', patch: filePatch(placeOf(file), before, { ...now, content }) };
}

/** A file that cannot be compared, and why. */
export function unreadable(file: ManifestFile, { message }: UserError): FileDrift {
  return { file, state: 'unknown', patch: noPatch, problem: message };
}

/** Where the team has it. */
export function placeOf({ path, movedTo }: ManifestFile): string {
  return movedTo ?? path;
}

function isExecutable(mode: number): boolean {
  return (mode & 0o100) !== 0;
}
