import { sha256Of } from '../plan/manifest.js';
import { normalized } from '../upgrade/merge/text-shape.js';
import type { ConcernedFile } from './advisory.js';

/** A project's copy of a template file. */
export interface Copy {
  content: Buffer;
  /** Of the text that it was emitted as; undefined if the manifest no longer has the file. */
  emittedSha256: string | undefined;
  /** True if nothing differs from that text but what a formatter decides. */
  isFormatted?: boolean;
}

/**
 * What is to be said of a copy.
 * - `weak`: it is a text that has the weakness, in whatever layout
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
  const wasWeak = copy.emittedSha256 !== undefined && sha256.includes(copy.emittedSha256);
  if (wasWeak && copy.isFormatted) return { verdict: 'weak', lines: found };
  const isWhole = lines.every((line) => numbersOf([line], copy.content).length > 0);
  if (isWhole) return { verdict: 'edited', lines: found };
  return { verdict: wasWeak ? 'perhaps' : 'sound', lines: found };
}

/** The lines on which what is wanted stands, however a formatter has broken, joined or quoted it. */
function numbersOf(wanted: string[], content: Buffer): number[] {
  const words = wordsOf(content.toString());
  const numbers = wanted.flatMap((line) => {
    const needed = wordsOf(line).map(({ word }) => word);
    const isAt = (start: number) =>
      needed.every((word, index) => words[start + index]?.word === word);
    const starts =
      needed.length === 0 ? [] : words.flatMap((_, start) => (isAt(start) ? start : []));
    return starts.flatMap((start) => words.slice(start, start + needed.length));
  });
  return [...new Set(numbers.map(({ line }) => line))].sort((a, b) => a - b);
}

/** A name, or a single sign, and the number of its line. */
interface Word {
  word: string;
  line: number;
}

/** The words of a text, without the signs that formatters add and take away: a look too many does no harm. */
function wordsOf(text: string): Word[] {
  return text.split('\n').flatMap((line, index) => {
    const words = line.match(/[\p{L}\p{N}_$]+|[^\s;,()]/gu) ?? [];
    return words.map((word) => ({ word: /['"`]/.test(word) ? "'" : word, line: index + 1 }));
  });
}
