import { type FilePatch, filePatch } from '../diff/file-patch.js';
import { type ProjectFile, readProjectFile } from '../project/read-file.js';
import type { FileOutcome, TreeChange } from '../upgrade/upgrade-plan.js';

/**
 * What the changes would do to the folder, as a patch for `git apply`.
 * @param outcomes say where a file comes from that the template moves
 */
export function patchOf(
  root: string,
  changes: TreeChange[],
  outcomes: FileOutcome[] = [],
): FilePatch {
  const origins = new Map(outcomes.map(({ path, from }) => [path, from]));
  const originOf = ({ path, before }: TreeChange) => (before ? undefined : origins.get(path));
  const moved = new Set(changes.map(originOf));
  const patches = changes
    .filter(({ path, after }) => after || !moved.has(path))
    .map((change) => {
      const { path, after } = change;
      const from = originOf(change) ?? path;
      return filePatch(path, readProjectFile(root, from), after, from);
    });
  return {
    text: patches.map(({ text }) => text).join(''),
    added: patches.reduce((sum, { added }) => sum + added, 0),
    removed: patches.reduce((sum, { removed }) => sum + removed, 0),
  };
}

/** Changes of the template that the project's file has not taken over. */
export function heldBackPatch(path: string, upstream: FileOutcome['upstream']): FilePatch {
  return filePatch(path, sideOf(upstream?.before), sideOf(upstream?.now));
}

/** The same as comments, so that git, given the whole patch, applies only what the upgrade writes. */
export function asComment({ path, upstream, note }: FileOutcome): string {
  const { text } = heldBackPatch(path, upstream);
  if (text === '') return '';
  const lines = [`${path}: ${note ?? 'it stays as you have it'}`, ...text.trimEnd().split('\n')];
  return lines.map((line) => `# ${line}\n`).join('');
}

function sideOf(content: Buffer | undefined): ProjectFile | undefined {
  return content && { content, mode: 0o644 };
}
