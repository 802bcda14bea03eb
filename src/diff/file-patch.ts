import { formatPatch, structuredPatch } from '../packages/diff.js';
import { isExecutable } from '../plan/ownership.js';
import type { ProjectFile } from '../project/read-file.js';

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
 * The difference between two states of a file, as one file of a unified diff with git's headers. A side is undefined
 * where there is no file.
 * @param from its path before, if it has moved
 */
export function filePatch(
  path: string,
  before: ProjectFile | undefined,
  after: ProjectFile | undefined,
  from = path,
): FilePatch {
  if (!before && !after) return noPatch;
  const isSame = before && after && before.content.equals(after.content);
  if (!isSame && (before?.content.includes(0) || after?.content.includes(0))) {
    // As a comment: git would refuse the whole patch.
    return { ...noPatch, text: `# ${path} differs. It is binary, so this patch leaves it out.\n` };
  }
  const names = [`a/${from}`, `b/${path}`] as const;
  const { hunks } = isSame
    ? { hunks: [] }
    : structuredPatch(...names, textOf(before), textOf(after), '', '', { context: contextLines });
  const [oldMode, newMode] = [before && gitMode(before), after && gitMode(after)];
  const hasOtherMode = oldMode !== newMode;
  const isRename = path !== from;
  if (isSame && !hasOtherMode && !isRename) return noPatch;
  const text = formatPatch({
    isGit: true,
    ...{ isCreate: !before, isDelete: !after, isRename },
    ...(hasOtherMode && { oldMode, newMode }),
    ...{
      oldFileName: before ? names[0] : '/dev/null',
      newFileName: after ? names[1] : '/dev/null',
    },
    ...{ oldHeader: '', newHeader: '', hunks },
  });
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { text: withTabs(text, names), added: count('+'), removed: count('-') };
}

/** Like git, puts a tab after a name with blanks: otherwise the first blank would end the name. */
function withTabs(text: string, [from, to]: readonly [string, string]): string {
  const [before, after] = [`\n--- ${from}`, `\n+++ ${to}`];
  const first = from.includes(' ') ? text.replace(`${before}\n`, `${before}\t\n`) : text;
  return to.includes(' ') ? first.replace(`${after}\n`, `${after}\t\n`) : first;
}

/** Git keeps only whether a file is executable. */
function gitMode({ mode }: { mode: number }): string {
  return isExecutable(mode) ? '100755' : '100644';
}

function textOf(side: ProjectFile | undefined): string {
  return side?.content.toString() ?? '';
}
