import { linesOf } from './merge/text-shape.js';
import { missingExports, toExport } from './missing-exports.js';
import { besidePath } from './pair-files.js';

/** A path that still waits for a decision, and what to do about it. */
export interface StillPending {
  path: string;
  reason: string;
}

/**
 * Which pending paths are not done: markers are left, or the template's text is still beside the file. A file that the
 * team has deleted since is done.
 * @param contents by path: the pending files and the texts beside them, as far as they exist
 */
export function stillPending(
  pending: string[],
  contents: ReadonlyMap<string, Buffer>,
): StillPending[] {
  return pending.flatMap((path) => {
    const content = contents.get(path);
    const marker = content ? markerLine(path, content) : 0;
    if (marker > 0) return [{ path, reason: `line ${marker} has a conflict marker` }];
    const beside = besidePath(path);
    if (!contents.has(beside)) return [];
    return [{ path, reason: `take over what you need from ${beside}, then delete it` }];
  });
}

/**
 * Which other files have markers: moving a pending file takes its markers along.
 * @param contents by path: all files that may be such a one
 */
export function stillMarked(contents: ReadonlyMap<string, Buffer>): StillPending[] {
  const found = [...contents].map(([path, content]) => ({ path, line: wholeMark(content) }));
  return found.flatMap(({ path, line }) =>
    line > 0 ? [{ path, reason: `line ${line} has a conflict marker` }] : [],
  );
}

/** A file of the team. */
interface TeamFile {
  path: string;
  /** Its path, and the one at which it was emitted if nothing is there now: imports may still lead to that. */
  importedAs: string[];
}

/**
 * Which files of the team still do not export what emitted code imports from them.
 * @param contents by path: these files and all emitted ones
 * @param textAt reads any file of the project: one may re-export others
 */
export async function stillMissing(
  files: TeamFile[],
  contents: ReadonlyMap<string, Buffer>,
  textAt: (path: string) => string | undefined,
): Promise<StillPending[]> {
  const programs = [...contents].map(([path, content]) => ({ path, text: content.toString() }));
  const found = files.map(async ({ path, importedAs }) => {
    const text = programs.find((each) => each.path === path)?.text;
    if (text === undefined) return [];
    const each = importedAs.map((name) =>
      missingExports({ path: name, text, place: path }, programs, textAt),
    );
    const missing = (await Promise.all(each)).flat();
    return missing.length > 0 ? [{ path, reason: toExport(missing) }] : [];
  });
  return (await Promise.all(found)).flat();
}

/** The number of the line that begins a conflict marked by this program; 0 if there is none, or its end is missing. */
function wholeMark(content: Buffer): number {
  if (!content.includes('<<<<<<< yours')) return 0;
  const lines = linesOf(content).map((line) => line.trim());
  const start = lines.indexOf('<<<<<<< yours');
  const isEnded = lines.slice(start).some((line) => /^>{7} create-auth-service \S+$/.test(line));
  return start >= 0 && isEnded ? start + 1 : 0;
}

/** The paths whose contents `stillPending` needs. */
export function pathsToDecide(pending: string[]): string[] {
  return pending.flatMap((path) => [path, besidePath(path)]);
}

// Only whole lines as this program writes them: a page about merges may contain others.
const marker = /^(<{7} yours|\|{7} create-auth-service \S+|={7}|>{7} create-auth-service \S+)$/;

/** The number of the first marker's line; 0 if there is none. In Markdown, equals signs alone underline a heading. */
function markerLine(path: string, content: Buffer): number {
  const found = linesOf(content).map((line) => marker.exec(line.trim())?.[0]);
  const isUnderlined =
    path.endsWith('.md') && found.every((each = '=======') => each === '=======');
  return isUnderlined ? 0 : found.findIndex((each) => each !== undefined) + 1;
}
