import type { Merged, ThreeVersions } from './merge-file.js';
import { mergeList, withoutKnownVariables } from './merge-list.js';
import { isCode, parseCode } from './parse-code.js';
import {
  conflictBetween,
  hasConflict,
  linesInConflict,
  markedLines,
  mergeByDiff3,
  type Region,
} from './regions.js';
import { restoreLayout } from './restore-layout.js';
import { restoreLineLayout } from './restore-line-layout.js';
import { encodingOf, linesOf, linesOfText, shapeOf, textFrom } from './text-shape.js';

/** Merges line by line. A clean result that no longer parses is a conflict. */
export function mergeText(versions: ThreeVersions): Merged {
  const { path, kind, owner, labels } = versions;
  const encoding = encodingOf(versions.base, versions.yours, versions.theirs);
  const shape = { ...shapeOf(versions.yours), encoding };
  const base = linesOf(versions.base, encoding);
  const yours = linesOf(versions.yours, encoding);
  const all = linesOf(versions.theirs, encoding);
  const theirs = isEnvExample.test(path) ? withoutKnownVariables(base, yours, all) : all;
  const isList = owner === 'list' || kind === 'lines';
  const merge = (team: string[]) =>
    isList ? mergeList(base, team, theirs, owner === 'list') : mergeByDiff3(base, team, theirs);
  const { regions, notes } = mergedAsWritten(path, base, yours, merge);
  const written = (result: Region[]) => textFrom(markedLines(result, labels), shape);
  if (hasConflict(regions)) return { content: written(regions), conflict: 'marked', notes };
  const lines = markedLines(regions, labels);
  if (isBroken(path, lines, [yours, theirs])) {
    return {
      content: written(conflictBetween(base, yours, theirs)),
      conflict: 'marked',
      notes: ['each line merges, but the result would not be a valid program'],
    };
  }
  return { content: textFrom(lines, shape), notes };
}

const isEnvExample = /(^|\/)\.env\.example$/;

/** In the note of each file that has lost the team's formatting. */
export const formatIsGone = 'it is in the format of the template again';

/**
 * Merges the team's text as it is and, if that conflicts, without the team's formatting: a formatter that changes every
 * line must not cause conflicts where nobody has changed anything else.
 */
function mergedAsWritten(
  path: string,
  base: string[],
  yours: string[],
  merge: (yours: string[]) => Region[],
): { regions: Region[]; notes: string[] } {
  const regions = merge(yours);
  if (!hasConflict(regions)) return { regions, notes: [] };
  const laid = laidOut(path, base, yours);
  const again = laid === undefined ? regions : merge(laid);
  if (linesInConflict(again) >= linesInConflict(regions)) return { regions, notes: [] };
  const note = `you had formatted it: ${formatIsGone}, with your changes`;
  return { regions: again, notes: [note] };
}

function laidOut(path: string, base: string[], yours: string[]): string[] | undefined {
  if (/\.(css|md)$/.test(path)) return restoreLineLayout(path, base, yours);
  if (!isCode(path)) return undefined;
  const text = restoreLayout(path, base.join('\n'), yours.join('\n'));
  return text === undefined ? undefined : linesOfText(text);
}

/** True if the lines do not parse although both sides do. */
function isBroken(path: string, lines: string[], sides: string[][]): boolean {
  if (!isCode(path) || parseCode(path, lines.join('\n'))) return false;
  const parsed = sides.map((side) => parseCode(path, side.join('\n')));
  return parsed.every((tree) => tree !== undefined);
}
