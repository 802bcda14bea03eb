import { type FilePatch, filePatch, type Side } from '../diff/file-patch.js';
import type { FileOutcome } from '../upgrade/upgrade-plan.js';

/** What the template has changed and the project's file has not taken over. */
export function heldBackPatch({ path, upstream }: FileOutcome): FilePatch {
  return filePatch(path, sideOf(upstream?.before), sideOf(upstream?.now));
}

/** The same as comments, so that piping the patch into git does not apply what the upgrade does not write. */
export function asComment(outcome: FileOutcome): string {
  const { text } = heldBackPatch(outcome);
  if (text === '') return '';
  const { path, note = 'it stays as you have it' } = outcome;
  const lines = [`${path}: ${note}`, ...text.trimEnd().split('\n')];
  return lines.map((line) => `# ${line}\n`).join('');
}

function sideOf(content: Buffer | undefined): Side {
  return content && { content, mode: 0o644 };
}
