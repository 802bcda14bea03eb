import { sha256Of } from '../plan/manifest.js';
import { normalized } from '../upgrade/merge/text-shape.js';
import type { ConcernedFile } from './advisory.js';

/** A project's copy of a template file. */
export interface Copy {
  content: Buffer;
  /** Of the text that it was emitted as; undefined if the manifest no longer has the file. */
  emittedSha256: string | undefined;
}

/**
 * What is to be said of a copy.
 * - `weak`: it is a text that has the weakness, line by line
 * - `edited`: it has the lines of the weakness in a text of the team's
 * - `perhaps`: it was emitted with the weakness and edited since; the lines are gone
 * - `sound`: it is not concerned
 */
export interface Judgement {
  verdict: 'weak' | 'edited' | 'perhaps' | 'sound';
  /** Numbers of the lines concerned, from 1. */
  lines: number[];
}

/** Holds a copy against what an advisory says of the file. */
export function judgeCopy({ sha256, lines }: ConcernedFile, copy: Copy): Judgement {
  const found = numbersOf(lines, copy.content);
  const hashes = [sha256Of(copy.content), sha256Of(normalized(copy.content))];
  if (hashes.some((hash) => sha256.includes(hash))) return { verdict: 'weak', lines: found };
  const isWhole = lines.every((line) => numbersOf([line], copy.content).length > 0);
  if (isWhole) return { verdict: 'edited', lines: found };
  const wasWeak = copy.emittedSha256 !== undefined && sha256.includes(copy.emittedSha256);
  return { verdict: wasWeak ? 'perhaps' : 'sound', lines: found };
}

/** Indentation is a matter of formatters. */
function numbersOf(wanted: string[], content: Buffer): number[] {
  const trimmed = wanted.map((line) => line.trim());
  return content
    .toString()
    .split(/\r?\n/)
    .flatMap((line, index) => (trimmed.includes(line.trim()) ? [index + 1] : []));
}
