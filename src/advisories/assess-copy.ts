import { hashesOf } from '../upgrade/unedited.js';
import type { ConcernedFile } from './advisory.js';

/** A project's copy of a template file. */
interface Copy {
  content: Buffer;
  /** Hash of the text that was emitted; undefined if the manifest no longer has the file. */
  emittedSha256: string | undefined;
  /** True if it differs from that text only in what a formatter decides. */
  isFormatted?: boolean;
}

/**
 * How a copy is judged.
 * - `weak`: it is a text that has the vulnerability, in whatever layout
 * - `edited`: the team has edited it, and the lines of the vulnerability are still there
 * - `perhaps`: it was emitted with the vulnerability and has been edited since; the lines are gone
 * - `sound`: it is not affected
 */
interface Assessment {
  verdict: 'weak' | 'edited' | 'perhaps' | 'sound';
  /** Numbers of the affected lines, from 1. */
  lines: number[];
}

const worstFirst: Assessment['verdict'][] = ['weak', 'edited', 'perhaps', 'sound'];

/** Compares a copy with all entries of an advisory for its file, and returns the worst match. */
export function assessByAll(entries: ConcernedFile[], copy: Copy): Assessment {
  const all = entries.map((entry) => assessCopy(entry, copy));
  const [worst] = worstFirst.flatMap((verdict) => all.filter((each) => each.verdict === verdict));
  return worst ?? { verdict: 'sound', lines: [] };
}

/** Compares a copy with one entry of an advisory. */
export function assessCopy({ sha256, lines }: ConcernedFile, copy: Copy): Assessment {
  const found = numbersOf(lines, copy.content);
  if (hashesOf(copy.content).some((hash) => sha256.includes(hash)))
    return { verdict: 'weak', lines: found };
  const wasWeak = copy.emittedSha256 !== undefined && sha256.includes(copy.emittedSha256);
  if (wasWeak && copy.isFormatted) return { verdict: 'weak', lines: found };
  const isWhole = lines.every((line) => numbersOf([line], copy.content).length > 0);
  if (isWhole) return { verdict: 'edited', lines: found };
  return { verdict: wasWeak ? 'perhaps' : 'sound', lines: found };
}

/** The lines that hold the wanted text, however a formatter has broken, joined or quoted it. */
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

/**
 * The names and single characters of a text with their line numbers, without the characters that formatters add and
 * remove: a false alarm does no harm.
 */
function wordsOf(text: string) {
  return text.split('\n').flatMap((line, index) => {
    const words = line.match(/[\p{L}\p{N}_$]+|[^\s;,()]/gu) ?? [];
    return words.map((word) => ({ word: /['"`]/.test(word) ? "'" : word, line: index + 1 }));
  });
}
