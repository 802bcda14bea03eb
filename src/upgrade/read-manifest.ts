import { UserError } from '../errors.js';
import { valid } from '../packages/semver.js';
import {
  leavesProject,
  type Manifest,
  type ManifestFile,
  manifestChecksum,
  manifestPath,
  recordFolder,
} from '../plan/manifest.js';

// Plain functions: each command reads the manifest, and a schema takes twenty times as long for its hundreds of lines.

type Check = (value: unknown) => boolean;

/** The check for each key's value. */
type Checks<Checked> = Record<keyof Checked, Check>;

const checks: Checks<Written> = {
  schema: (value) => value === 1,
  version: (value) => typeof value === 'string' && valid(value) === value,
  answers: isRecord,
  files: Array.isArray,
  pending: Array.isArray,
  checksum: (value) => typeof value === 'string',
};

const lineChecks: Checks<ManifestFile> = {
  id: isPath,
  path: isPath,
  sha256: isText(/^[0-9a-f]{64}$/),
  blob: isText(/^[0-9a-f]{40}$/),
  mode: isText(/^(644|755)$/),
  kind: isText(/^(text|json|yaml|lines|binary)$/),
  owner: isText(/^(yours|list|ours|frozen)$/),
  layers: (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  offered: (value) => value === undefined || isText(/^[0-9a-f]{64}$/)(value),
  movedTo: (value) => value === undefined || isPath(value),
  deleted: (value) => value === undefined || value === true,
};

/** The manifest as it is written, and checked. */
interface Written extends Omit<Manifest, 'files'> {
  schema: 1;
  files: (Omit<ManifestFile, 'mode'> & { mode: string })[];
  checksum: string;
}

/**
 * Reads `manifest.json`.
 * @returns the manifest, and whether its checksum matches: if not, somebody has edited it, or git has merged two
 *   manifests
 * @throws UserError if it cannot be relied on: it is not JSON, has a newer schema, or a path that leads out of the
 *   project
 */
export function readManifest(text: string): { manifest: Manifest; isIntact: boolean } {
  const value = parsed(text);
  if (isRecord(value) && typeof value.schema === 'number' && value.schema > 1) {
    throw new UserError(
      `${manifestPath} has schema ${value.schema}; this version reads schema 1.`,
      'A newer create-auth-service wrote it. Run the same command with that version: npx create-auth-service@latest …',
    );
  }
  const { checksum, ...rest } = checked(value);
  const { version, answers, pending } = rest;
  const files = rest.files.map((line) => ({ ...line, mode: Number.parseInt(line.mode, 8) }));
  refuseTwice(files.map(({ path }) => path));
  return {
    manifest: { version, answers, files, pending },
    isIntact: manifestChecksum(rest) === checksum,
  };
}

/** @throws UserError naming the first wrong value */
function checked(value: unknown): Written {
  refuseWrong(value, checks, []);
  const written = value as Written;
  for (const [index, line] of written.files.entries()) {
    refuseWrong(line, lineChecks, ['files', index]);
  }
  for (const [index, path] of written.pending.entries()) {
    if (!isPath(path)) throw damaged(path, ['pending', index]);
  }
  return written;
}

function refuseWrong<Checked>(
  value: unknown,
  checks: Checks<Checked>,
  at: (string | number)[],
): void {
  if (!isRecord(value)) throw damaged(value, at);
  for (const key in checks) if (!checks[key](value[key])) throw damaged(value[key], [...at, key]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const isMerged = /^<{7} /m.test(text);
    throw new UserError(
      `${manifestPath} ${isMerged ? "has git's conflict markers in it" : 'is not JSON'}.`,
      isMerged ? mergeHint : restoreHint,
    );
  }
}

// Changes of the other branch are then found already made, and only recorded.
const mergeHint = `Take the record of one side: git restore --source=HEAD --staged --worktree ${recordFolder}
When all else is merged, repeat what the other side did: npx create-auth-service upgrade, add, remove, change`;

const restoreHint = 'Restore it from the last commit: it is never edited by hand.';

/** @param at the keys that lead to the value */
function damaged(value: unknown, at: (string | number)[]): UserError {
  const isNamed = ['path', 'id', 'movedTo'].includes(String(at.at(-1))) || at[0] === 'pending';
  const message =
    isNamed && typeof value === 'string'
      ? `${manifestPath} names ${JSON.stringify(value)}, which is not a file of the project.`
      : `${manifestPath} is damaged at ${at.join('.') || 'its top'}.`;
  return new UserError(message, restoreHint);
}

function refuseTwice(paths: string[]): void {
  if (new Set(paths).size === paths.length) return;
  const twice = paths.find((each, index) => paths.indexOf(each) !== index);
  throw new UserError(`${manifestPath} names ${twice} twice.`, restoreHint);
}

/** True for the path of a file of the project; `.env` was never emitted. */
function isPath(value: unknown): boolean {
  return typeof value === 'string' && !leavesProject(value) && value.toLowerCase() !== '.env';
}

function isText(pattern: RegExp): Check {
  return (value) => typeof value === 'string' && pattern.test(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
