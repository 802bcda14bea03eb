import { createHash, hash } from 'node:crypto';
import type { Kind, Owner } from './ownership.js';
import type { PlannedFile } from './plan-project.js';

/** The folder that makes later upgrades possible. */
export const recordFolder = '.create-auth-service';
export const manifestPath = `${recordFolder}/manifest.json`;

/** What the generator records about a file that it has emitted. */
export interface ManifestFile {
  /** The first path it ever had: an upgrade identifies a moved file by it. */
  id: string;
  /** Where it was emitted, relative to the project, with forward slashes. */
  path: string;
  /** SHA-256 of the text that the project was given, in hex. */
  sha256: string;
  /** Git's id of the same text in a SHA-1 repository. */
  blob: string;
  /** 0o644 or 0o755. */
  mode: number;
  kind: Kind;
  owner: Owner;
  /** The layers that contribute to it; the last one decides. */
  layers: string[];
  /**
   * SHA-256 of the template's text where the project keeps an older one: for files that belong to the team, for
   * migrations, and for files that were not there. An upgrade reports each such text once.
   */
  offered?: string;
  /** Where the team has moved it to, if an upgrade has found it there. */
  movedTo?: string;
  /** True if an upgrade has found it nowhere: what the team writes later is not taken for it. */
  deleted?: true;
}

/** What `manifest.json` says; its schema and its checksum are matters of reading and writing it. */
export interface Manifest {
  /** Version of the generator that last wrote the manifest. */
  version: string;
  /** Checked when a plan is made: this version may not know the layers of another. */
  answers: object;
  /** Sorted by path. */
  files: ManifestFile[];
  /** Paths with a conflict that nobody has resolved yet, sorted. */
  pending: string[];
}

/** The manifest as it is written: a line per file, sorted by path, so that git merges two of them line by line. */
export function manifestText(manifest: Manifest): string {
  const { version, answers, pending } = manifest;
  const files = [...manifest.files].sort(byPath).map(manifestLine);
  const written = { schema: 1, version, answers, files, pending };
  const lines = files.map((file) => `    ${JSON.stringify(file)}`).join(',\n');
  return `{
  "schema": 1,
  "version": ${JSON.stringify(version)},
  "answers": ${indented(answers)},
  "files": [
${lines}
  ],
  "pending": ${indented(pending)},
  "checksum": "${manifestChecksum(written)}"
}
`;
}

/** SHA-256 of the manifest without its checksum, as compact JSON: edits by hand change it, a formatter does not. */
export function manifestChecksum(manifest: object): string {
  return sha256Of(JSON.stringify(manifest));
}

function indented(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
}

function byPath(one: ManifestFile, other: ManifestFile): number {
  return one.path < other.path ? -1 : 1;
}

function manifestLine({ mode, offered, movedTo, deleted, ...file }: ManifestFile) {
  const { id, path, sha256, blob, kind, owner, layers } = file;
  const line = { id, path, sha256, blob, mode: mode.toString(8), kind, owner, layers };
  return { ...line, offered, movedTo, deleted };
}

/**
 * The manifest's line for a file that was just emitted.
 * @param before its previous line: the same text has the same hashes
 */
export function manifestFile(
  { id, path, content, mode, kind, owner, layers }: PlannedFile,
  before?: Pick<ManifestFile, 'sha256' | 'blob'>,
): ManifestFile {
  const sha256 = sha256Of(content);
  const blob = before?.sha256 === sha256 ? before.blob : gitBlobId(content);
  return { id, path, sha256, blob, mode, kind, owner, layers };
}

/** SHA-256 in hex. Contents are compared often and never changed, so each is hashed only once. */
export function sha256Of(content: Buffer | string): string {
  if (typeof content === 'string') return hash('sha256', content);
  const known = hashes.get(content) ?? hash('sha256', content);
  hashes.set(content, known);
  return known;
}

const hashes = new WeakMap<Buffer, string>();

/** The id under which git stores the content (SHA-1 repositories). */
export function gitBlobId(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

/**
 * True unless it is a plain relative path of a file: if it is absolute, has `..`, a drive, a backslash or a control
 * character, or lies in a `.git`, where git runs files. Whatever is read from a project is checked before it is used as a path.
 */
export function leavesProject(path: string): boolean {
  return /[\\:\p{Cc}]|(^|\/)(\.{0,2}|\.git|git~\d+)(\/|$)/iu.test(path);
}
