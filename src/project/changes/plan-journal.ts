import { dirname } from 'node:path';
import { sha256Of } from '../../plan/manifest.js';
import { statsWithin } from '../read-file.js';
import type { ApplyOptions } from './apply-changes.js';
import type { Journal, JournalEntry } from './journal.js';
import { type Found, modeAfter } from './look.js';

/** The journal of a change that has not begun, and the texts as they are, one after another. */
export function planJournal(
  root: string,
  found: Found[],
  token: string,
  { title, nextSteps = [], index = [] }: ApplyOptions,
): { journal: Journal; texts: Buffer } {
  const texts = found.map(({ file }) => file?.content ?? Buffer.alloc(0));
  let offset = 0;
  const entries = found.map((each, position): JournalEntry => {
    const size = texts[position]?.length ?? 0;
    const entry = entryOf(each, { offset, size });
    offset += size;
    return entry;
  });
  const journal: Journal = {
    schema: 1,
    state: 'staging',
    token,
    entries,
    madeFolders: missingFolders(root, entries),
    leftFolders: foldersOfRemoved(root, entries),
    title,
    nextSteps,
    index,
  };
  return { journal, texts: Buffer.concat(texts) };
}

function entryOf(
  { change: { path, after }, file }: Found,
  place: { offset: number; size: number },
): JournalEntry {
  return {
    path,
    ...(file ? { before: { sha256: sha256Of(file.content), mode: file.mode, ...place } } : {}),
    ...(after
      ? { after: { sha256: sha256Of(after.content), mode: modeAfter(after.mode, file) } }
      : {}),
  };
}

/** Each above those in it. */
function missingFolders(root: string, entries: JournalEntry[]): string[] {
  const needed = entries.filter(({ after }) => after).flatMap(({ path }) => foldersAbove(path));
  return [...new Set(needed)].filter((folder) => !statsWithin(root, folder)).sort();
}

function foldersOfRemoved(root: string, entries: JournalEntry[]): Journal['leftFolders'] {
  const left = entries.filter(({ after }) => !after).flatMap(({ path }) => foldersAbove(path));
  return [...new Set(left)].sort().flatMap((path) => {
    const stats = statsWithin(root, path);
    return stats ? [{ path, mode: stats.mode & 0o7777 }] : [];
  });
}

/** All folders on the way from the project to the file, the project itself left out. */
function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [...foldersAbove(folder), folder];
}
