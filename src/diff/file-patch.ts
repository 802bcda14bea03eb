import { structuredPatch } from '../packages/diff.js';
import { isExecutable } from '../plan/ownership.js';
import type { ProjectFile } from '../project/read-file.js';

/** One side of a comparison; undefined where there is no file. */
export type FileState = ProjectFile | undefined;

/** The difference between two states of a file. */
export interface FilePatch {
  /** In git's format, for `git apply`; empty if both sides are the same. */
  text: string;
  /** Lines. */
  added: number;
  removed: number;
}

export const noPatch: FilePatch = { text: '', added: 0, removed: 0 };

// What git shows around a change.
const contextLines = 3;

/**
 * The difference between two states of a file, as one file of a unified diff with git's headers.
 * @param from its path before, if it has moved
 */
export function filePatch(
  path: string,
  before: FileState,
  after: FileState,
  from = path,
): FilePatch {
  if (!before && !after) return noPatch;
  const head = headOf({ path, from }, before, after);
  const isSame = before && after && before.content.equals(after.content);
  if (isSame) return head.modes === '' ? noPatch : { ...noPatch, text: head.first + head.modes };
  if (before?.content.includes(0) || after?.content.includes(0)) {
    return { ...noPatch, text: `${head.first}${head.modes}Binary files differ\n` };
  }
  const { hunks } = structuredPatch(path, path, textOf(before), textOf(after), '', '', {
    context: contextLines,
  });
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return {
    // Without a hunk there are no names either: an empty file was added or removed.
    text:
      head.first + head.modes + (hunks.length > 0 ? head.names : '') + hunks.map(hunkText).join(''),
    added: count('+'),
    removed: count('-'),
  };
}

function headOf(
  { path, from }: { path: string; from: string },
  before: FileState,
  after: FileState,
) {
  const renamed = path === from ? '' : `rename from ${from}\nrename to ${path}\n`;
  return {
    first: `diff --git a/${from} b/${path}\n`,
    modes: modeLines(before, after) + renamed,
    names: `--- ${before ? nameIn('a', from) : '/dev/null'}\n+++ ${after ? nameIn('b', path) : '/dev/null'}\n`,
  };
}

/** Like git, puts a tab after a name with blanks: otherwise the first blank would end the name. */
function nameIn(side: string, path: string): string {
  return `${side}/${path}${path.includes(' ') ? '\t' : ''}`;
}

function modeLines(before: FileState, after: FileState): string {
  if (!before) return after ? `new file mode ${gitMode(after)}\n` : '';
  if (!after) return `deleted file mode ${gitMode(before)}\n`;
  const [old, now] = [gitMode(before), gitMode(after)];
  return old === now ? '' : `old mode ${old}\nnew mode ${now}\n`;
}

/** Git keeps only whether a file is executable. */
function gitMode({ mode }: { mode: number }): string {
  return isExecutable(mode) ? '100755' : '100644';
}

function hunkText(hunk: ReturnType<typeof structuredPatch>['hunks'][number]): string {
  const { oldStart, oldLines, newStart, newLines, lines } = hunk;
  // A range of no lines begins at the line before it.
  const from = oldLines === 0 ? oldStart - 1 : oldStart;
  const to = newLines === 0 ? newStart - 1 : newStart;
  return [`@@ -${from},${oldLines} +${to},${newLines} @@`, ...lines, ''].join('\n');
}

function textOf(side: FileState): string {
  return side?.content.toString() ?? '';
}
