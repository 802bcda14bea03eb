import { basename } from 'node:path/posix';
import type { Manifest } from '../plan/manifest.js';
import { conflictsIn } from './merge/regions.js';
import { missingExports, toExport } from './missing-exports.js';
import { besidePath } from './pair-files.js';

/** A path that still waits for a decision, and what to do about it. */
interface StillPending {
  path: string;
  reason: string;
}

/** Reads a file of the project as text; undefined if there is none. */
type ReadText = (path: string) => string | undefined;

/** The team's files. */
interface Others {
  paths: () => Promise<string[]>;
  read: ReadText;
}

/**
 * What is not done yet: markers are left, the template's text is still beside the file, or a file of the team still
 * does not export what emitted code imports from it. A pending file that the team has deleted since is done.
 * @param others the files among which a pending one is, if it has been moved
 */
export async function stillPending(
  manifest: Manifest,
  read: ReadText,
  others: Others,
): Promise<StillPending[]> {
  const { pending } = manifest;
  const waiting = pending.flatMap((path): StillPending[] => {
    const line = markerLine(path, read(path) ?? '');
    if (line > 0) return [marked(path, line)];
    const beside = besidePath(path);
    if (read(beside) === undefined) return [];
    return [{ path, reason: `take over what you need from ${beside}, then delete it` }];
  });
  const moved = await undecidedElsewhere(pending, others);
  return [...waiting, ...moved, ...stillMissing(manifest, read)];
}

/**
 * What is undecided at other paths than the pending ones; searched only if a pending file is gone: files with a whole
 * conflict and, under the name of the one that is gone, those with any marker and the template's text.
 */
export async function undecidedElsewhere(
  pending: string[],
  { paths, read }: Others,
): Promise<StillPending[]> {
  const gone = pending.filter((path) => read(path) === undefined).map((path) => basename(path));
  const decided = pathsToDecide(pending);
  const others = gone.length > 0 ? await paths() : [];
  return others.flatMap((path): StillPending[] => {
    if (decided.includes(path)) return [];
    if (gone.map(besidePath).includes(basename(path))) {
      return [{ path, reason: 'take over what you need from it, then delete it' }];
    }
    const text = read(path) ?? '';
    const [whole] = conflictsIn(text.split('\n').map((line) => line.trim()));
    // Under another name, a line that looks like a marker may be the team's own.
    const line = gone.includes(basename(path)) ? markerLine(path, text) : (whole?.from ?? 0);
    return line > 0 ? [marked(path, line)] : [];
  });
}

function marked(path: string, line: number): StillPending {
  return { path, reason: `line ${line} has a conflict marker` };
}

/** Pending files of the team that still do not export what emitted code imports from them. */
function stillMissing({ pending, files }: Manifest, read: ReadText): StillPending[] {
  const places = new Map(files.map((file) => [file.movedTo ?? file.path, file]));
  const yours = pending.filter((path) => places.get(path)?.owner === 'yours');
  if (yours.length === 0) return [];
  const programs = [...places.keys()].flatMap((path) => {
    const text = read(path);
    return text === undefined ? [] : [{ path, text }];
  });
  return programs
    .filter(({ path }) => yours.includes(path))
    .flatMap((program) => {
      const place = program.path;
      const emittedAt = places.get(place)?.path ?? place;
      // If nothing is where it was emitted, imports may still lead there.
      const names = read(emittedAt) === undefined ? [place, emittedAt] : [place];
      const missing = names.flatMap((path) =>
        missingExports({ ...program, path, place }, programs, read),
      );
      return missing.length > 0 ? [{ path: place, reason: toExport(missing) }] : [];
    });
}

/** The pending files and the texts beside them. */
export function pathsToDecide(pending: string[]): string[] {
  return pending.flatMap((path) => [path, besidePath(path)]);
}

// Only whole lines as this program writes them: a page about merges may contain others.
// Git's own, if somebody has started over with `git checkout --merge`.
const marker =
  /^(<{7} (yours|ours)|\|{7} (base|create-auth-service \S+)|={7}|>{7} (theirs|create-auth-service \S+))$/;

/** The number of the first marker's line; 0 if there is none. In Markdown, equals signs alone underline a heading. */
function markerLine(path: string, text: string): number {
  const found = text.split('\n').map((line) => marker.exec(line.trim())?.[0]);
  const isUnderlined =
    path.endsWith('.md') && found.every((each = '=======') => each === '=======');
  return isUnderlined ? 0 : found.findIndex((each) => each !== undefined) + 1;
}
