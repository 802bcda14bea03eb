import { renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../../errors.js';
import * as z from '../../packages/zod.js';
import { leavesProject, manifestPath, manifestText, sha256Of } from '../../plan/manifest.js';
import { readManifest } from '../../upgrade/read-manifest.js';
import { isBehind } from '../git/repository.js';
import { readProjectFile, statsWithin } from '../read-file.js';
import type { ApplyOptions } from './apply-changes.js';
import { type Found, modeAfter } from './current-files.js';
import { syncNow, writeDurably } from './durable.js';
import { journalName, removeWorkFolder, workFolder } from './work-folder.js';

/** A function, because most runs read no journal. */
function journalSchema() {
  const path = z.string().check(z.refine((text) => !leavesProject(text)));
  const bits = (all: number) => z.number().check(z.refine((mode) => (mode & all) === mode));
  const side = { sha256: z.string(), mode: bits(0o777) };
  /** Its text is in base64. */
  const before = z
    .object({ ...side, text: z.string() })
    .check(z.refine(({ sha256, text }) => sha256Of(Buffer.from(text, 'base64')) === sha256));
  return z.object({
    schema: z.literal(1),
    /**
     * `staging`: new texts are being written into the work folder, no file is replaced. `replacing`: they are being
     * moved into place. `applied`: all is in place, and can be undone until it is continued. `undoing`: it is being
     * undone.
     */
    state: z.literal(['staging', 'replacing', 'applied', 'undoing']),
    entries: z.array(
      z
        .object({ path, before: z.optional(before), after: z.optional(z.object(side)) })
        // An `.env` is only ever made.
        .check(z.refine((entry) => !entry.before || entry.path.toLowerCase() !== '.env')),
    ),
    /** Folders that did not exist, each before those in it. */
    madeFolders: z.array(path),
    /** Folders that are removed if nothing is left in them, with their modes. */
    leftFolders: z.array(z.object({ path, mode: bits(0o7777) })),
    /** What is being done, and what to do after it, for people; repeated when it is continued. */
    title: z.string(),
    nextSteps: z.array(z.string()),
    /**
     * The old entries of git's index for the paths with conflicts, in the format of `git update-index --index-info`.
     */
    index: z.array(z.string()),
    /** The commit that it was made on, if the project is in a repository with one. */
    head: z.optional(z.string()),
  });
}

/** A change in progress, with everything needed to undo it. */
export type Journal = z.infer<ReturnType<typeof journalSchema>>;
export type JournalEntry = Journal['entries'][number];

const journalFile = `${workFolder}/${journalName}`;
const draftFile = `${workFolder}/draft-journal.json`;
const stagedFolder = `${workFolder}/new`;

/** Where the new text of a path waits until it is moved into place: on the same disk, out of the way. */
export function stagedPath(root: string, path: string): string {
  return join(root, stagedFolder, path);
}

/** Writes down how far the change has come. From the first time on it can be undone. */
export function enterState(root: string, journal: Journal, state: Journal['state']): void {
  rmSync(join(root, draftFile), { force: true });
  // The previous texts may be private.
  writeDurably(join(root, draftFile), JSON.stringify({ ...journal, state }), 0o600);
  renameSync(join(root, draftFile), join(root, journalFile));
  syncNow(join(root, workFolder));
  journal.state = state;
}

/** Ends the change: without the journal, the files count as they are. The rest is cleanup. */
export function closeJournal(root: string): void {
  rmSync(join(root, journalFile), { force: true });
  removeWorkFolder(root);
}

/** @throws UserError if it is damaged or cannot be read */
export function readJournal(root: string): Journal | undefined {
  const text = readProjectFile(root, journalFile)?.content.toString();
  if (text === undefined) return undefined;
  try {
    return journalSchema().parse(JSON.parse(text));
  } catch {
    throw new UserError(
      `${journalFile} is damaged: the change that it records can be neither finished nor undone from it.`,
      `Compare the project with its last commit, then delete ${workFolder}`,
    );
  }
}

/**
 * The change that waits for decisions in this tree, if it was made here. Git leaves the journal in place when it
 * switches the tree to another branch, on which another change may wait, with the same manifest.
 */
export async function readWaiting(root: string): Promise<Journal | undefined> {
  const journal = readJournal(root);
  if (journal?.state !== 'applied') return journal;
  const written = journal.entries.find(({ path: each }) => each === manifestPath)?.after?.sha256;
  const manifest = readProjectFile(root, manifestPath)?.content.toString();
  const isHere = !written || (manifest !== undefined && sha256Of(asWritten(manifest)) === written);
  return isHere && (await isBehind(root, journal.head)) ? journal : undefined;
}

/** A formatter may have changed its layout. */
function asWritten(manifest: string): string {
  return manifestText(readManifest(manifest).manifest);
}

/** The journal of a change that has not begun. */
export function planJournal(
  root: string,
  found: Found[],
  { title, nextSteps = [], index = [], head }: ApplyOptions,
): Journal {
  const entries = found.map(entryOf);
  const written = entries.filter(({ after }) => after);
  const removed = entries.filter(({ after }) => !after);
  return {
    schema: 1,
    state: 'staging',
    entries,
    madeFolders: foldersOf(root, written).flatMap(({ path, stats }) => (stats ? [] : path)),
    leftFolders: foldersOf(root, removed).flatMap(({ path, stats }) =>
      stats ? [{ path, mode: stats.mode & 0o7777 }] : [],
    ),
    title,
    nextSteps,
    index,
    head,
  };
}

function entryOf({ change: { path, after }, file }: Found): JournalEntry {
  const before = file && {
    sha256: sha256Of(file.content),
    mode: file.mode,
    text: file.content.toString('base64'),
  };
  const planned = after && {
    sha256: sha256Of(after.content),
    mode: modeAfter(after.mode, file),
  };
  return { path, before, after: planned };
}

/** The folders of these files with what is there now, each before those in it. */
function foldersOf(root: string, entries: JournalEntry[]) {
  const paths = new Set(entries.flatMap(({ path }) => foldersAbove(path)));
  return [...paths].sort().map((path) => ({ path, stats: statsWithin(root, path) }));
}

/** All folders between the project and the file, without the project itself. */
function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [...foldersAbove(folder), folder];
}
