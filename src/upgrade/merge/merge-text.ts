import { mergeByDiff3 } from './merge-lines.js';
import { mergeList } from './merge-list.js';
import type { Merged, ThreeVersions } from './merge-result.js';
import { isCode, parseCode } from './parse-code.js';
import { conflictBetween, hasConflict, markedLines, type Region } from './regions.js';
import { encodingOf, linesOf, shapeOf, textFrom } from './text-shape.js';

/** Merges line by line. What is clean but no program any more is a conflict after all. */
export async function mergeText(versions: ThreeVersions): Promise<Merged> {
  const { path, kind, owner, labels } = versions;
  const encoding = encodingOf(versions.base, versions.yours, versions.theirs);
  const shape = { ...shapeOf(versions.yours), encoding };
  const base = linesOf(versions.base, encoding);
  const yours = linesOf(versions.yours, encoding);
  const theirs = linesOf(versions.theirs, encoding);
  const isList = owner === 'list' || kind === 'lines';
  const regions = isList
    ? mergeList(base, yours, theirs, owner === 'list')
    : mergeByDiff3(base, yours, theirs);
  const written = (result: Region[]) => textFrom(markedLines(result, labels), shape);
  if (hasConflict(regions)) return { content: written(regions), conflict: 'marked', notes: [] };
  const lines = markedLines(regions, labels);
  if (await isBroken(path, lines, [yours, theirs])) {
    return {
      content: written(conflictBetween(base, yours, theirs)),
      conflict: 'marked',
      notes: ['each line merges, but the result would be no valid program'],
    };
  }
  return { content: textFrom(lines, shape), notes: [] };
}

/** True if the lines are no program although both sides were. */
async function isBroken(path: string, lines: string[], sides: string[][]): Promise<boolean> {
  if (!isCode(path) || (await parseCode(path, lines.join('\n')))) return false;
  const parsed = await Promise.all(sides.map((side) => parseCode(path, side.join('\n'))));
  return parsed.every((tree) => tree !== undefined);
}
