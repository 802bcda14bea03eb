import { diff3MergeRegions } from 'node-diff3';
import { isSameLines } from './diff-lines.js';
import { conflictBetween, type Region } from './regions.js';

/** What node-diff3 gives: its own types are derived from its JavaScript and say less. */
type Diff3Region =
  | { stable: true; bufferContent: string[] }
  | { stable: false; oContent: string[]; aContent: string[]; bContent: string[] };

/** Merges by diff3: changes of both sides conflict where they touch, unless they are the same. */
export function mergeByDiff3(base: string[], yours: string[], theirs: string[]): Region[] {
  const regions = diff3MergeRegions(yours, base, theirs) as Diff3Region[];
  return regions.flatMap((region) => {
    if (region.stable) return [{ isConflict: false as const, lines: region.bufferContent }];
    const { oContent, aContent, bContent } = region;
    if (isSameLines(oContent, bContent)) return [{ isConflict: false as const, lines: aContent }];
    if (isSameLines(oContent, aContent)) return [{ isConflict: false as const, lines: bContent }];
    return conflictBetween(oContent, aContent, bContent);
  });
}
