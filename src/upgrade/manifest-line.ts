import type { ManifestFile } from '../plan/manifest.js';
import { leavesProject } from './leaves-project.js';

type Check = (value: unknown) => boolean;

// Plain functions: a project has hundreds of lines, which a schema takes twenty times as long to check.
const checks: Record<keyof ManifestFile, Check> = {
  id: isPath,
  path: isPath,
  sha256: isText(/^[0-9a-f]{64}$/),
  blob: isText(/^[0-9a-f]{40}$/),
  mode: isText(/^(644|755)$/),
  kind: isText(/^(text|json|yaml|lines|binary)$/),
  owner: isText(/^(yours|list|ours|frozen)$/),
  layers: (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  movedTo: (value) => value === undefined || isPath(value),
};

const keys = Object.entries(checks);

/** A line of the manifest as it is written. */
interface ManifestLine extends Omit<ManifestFile, 'mode'> {
  mode: string;
}

/** The key of a manifest's line whose value is wrong; undefined if all are right. */
export function wrongKey(line: object): string | undefined {
  return keys.find(([key, isRight]) => !isRight(Reflect.get(line, key)))?.[0];
}

/** A line that was checked, without keys that do not belong there. */
export function fileOf(line: object): ManifestFile {
  const { id, path, sha256, blob, mode, kind, owner, layers, movedTo } = line as ManifestLine;
  const moved = movedTo === undefined ? {} : { movedTo };
  return { id, path, sha256, blob, mode: Number.parseInt(mode, 8), kind, owner, layers, ...moved };
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && !leavesProject(value);
}

function isText(pattern: RegExp): Check {
  return (value) => typeof value === 'string' && pattern.test(value);
}
