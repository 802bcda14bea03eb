import { basename, dirname, extname } from 'node:path/posix';
import { type ManifestFile, sha256Of } from '../plan/manifest.js';
import { hunksBetween } from './merge/regions.js';
import { linesOf } from './merge/text-shape.js';
import { hashesOf } from './unedited.js';

/** Files of the project at paths where the generator did not put them. */
type Candidates = ReadonlyMap<string, { content: Buffer }>;

/** A file that is no longer where it was. */
interface MissingFile {
  file: ManifestFile;
  /**
   * The emitted text and the template's current one. The next run compares with the latter, and must not find a file
   * that this run does not find.
   */
  texts: Buffer[];
}

/** Where a file is now. */
export interface Move {
  path: string;
  /** How similar its text is to the emitted one, in percent. */
  alike: number;
}

/** How many of the lines of both texts must be the same, in percent. Git requires half, but counts braces too. */
const alikeEnough = 60;

/** A file stays what it is if its extension becomes the other one of its format. */
const sameFormat = new Map([
  ['.yml', '.yaml'],
  ['.jsonc', '.json'],
]);

/**
 * Finds the files that the team has moved: first those that are identical to what was emitted, then similar ones.
 * @param missing files that are no longer where they were
 * @param candidates by path; each is used once
 * @returns the moves by id
 */
export function findMoved(missing: MissingFile[], candidates: Candidates): Map<string, Move> {
  const found = new Map<string, Move>();
  const free = new Map(candidates);
  const hashes = new Map([...candidates].map(([path, { content }]) => [path, hashesOf(content)]));
  const take = ({ file }: MissingFile, move: Move | undefined) => {
    if (!move) return;
    free.delete(move.path);
    found.set(file.id, move);
  };
  for (const each of missing) {
    const known = [each.file.sha256, ...each.texts.map(sha256Of)];
    const isSame = (path: string) => hashes.get(path)?.some((hash) => known.includes(hash));
    const same = [...free.keys()].filter(isSame);
    const only = same.length === 1 ? same[0] : undefined;
    const path = same.find((one) => isSameName(one, each.file.path)) ?? only;
    take(each, path === undefined ? undefined : { path, alike: 100 });
  }
  for (const each of missing.filter(({ file }) => !found.has(file.id))) {
    take(each, mostSimilar(each, free));
  }
  return found;
}

/**
 * The folders that the team has moved as a whole, old path → new path: all files of the folder that are found at all
 * are in one other folder. For a folder that has only folders, all files in those count.
 */
export function movedFolders(
  files: { path: string; place: string | undefined }[],
): Map<string, string> {
  const direct = new Map<string, string[]>();
  const above = new Map<string, string[]>();
  for (const { path, place } of files) {
    if (place === undefined || !isSameName(path, place)) continue;
    let [from, to] = [dirname(path), dirname(place)];
    addTo(direct, from, to);
    while (from !== '.' && to !== '.' && isSameName(from, to)) {
      [from, to] = [dirname(from), dirname(to)];
      addTo(above, from, to);
    }
  }
  return new Map(
    [...new Map([...above, ...direct])].flatMap(([from, [to = from, ...others]]) => {
      const isMoved = to !== from && others.length > 0 && others.every((each) => each === to);
      return isMoved ? [[from, to] as const] : [];
    }),
  );
}

function addTo(targets: Map<string, string[]>, from: string, to: string): void {
  targets.set(from, [...(targets.get(from) ?? []), to]);
}

/** Where a new file of the template goes: into the moved folder if its folder or one above was moved. */
export function followFolder(path: string, folders: Map<string, string>): string {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const moved = folders.get(folder);
    if (moved !== undefined) return moved + path.slice(folder.length);
  }
  return path;
}

function mostSimilar({ file, texts }: MissingFile, candidates: Candidates): Move | undefined {
  const lines = texts.map(wordsByLine);
  const isFar = ({ path }: Move) => Number(dirname(path) !== dirname(file.path));
  const [best] = [...candidates]
    .filter(([path]) => formatOf(path) === formatOf(file.path))
    .map(([path, { content }]) => {
      const own = wordsByLine(content);
      return { path, alike: Math.max(...lines.map((each) => similarityOf(each, own))) };
    })
    .filter(({ alike }) => alike >= alikeEnough)
    .sort((a, b) => b.alike - a.alike || isFar(a) - isFar(b));
  return best;
}

/** The extension; those of one format count as the same. */
function formatOf(path: string): string {
  const extension = extname(path);
  return sameFormat.get(extension) ?? extension;
}

/** How many of the lines of both texts are the same, in percent. */
function similarityOf(one: string[], other: string[]): number {
  const all = one.length + other.length;
  // Hunks count each differing line once, on its own side.
  const different = hunksBetween(one, other).reduce(
    (sum, { start, end, lines }) => sum + (end - start) + lines.length,
    0,
  );
  return all === 0 ? 0 : Math.floor((100 * (all - different)) / all);
}

/** Layout, and lines without a word such as blank lines and braces, say nothing about where a file comes from. */
function wordsByLine(content: Buffer): string[] {
  return linesOf(content)
    .map((line) => line.replace(/[^\p{L}\p{N}]/gu, ''))
    .filter((line) => line !== '');
}

function isSameName(one: string, other: string): boolean {
  return basename(one) === basename(other);
}
