import type { ManifestFile } from '../plan/manifest.js';
import { type Checks, isPath, isText, wrongKey } from './checks.js';

const checks: Checks<ManifestFile> = {
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
};

/** A line of the manifest as it is written. */
interface ManifestLine extends Omit<ManifestFile, 'mode'> {
  mode: string;
}

/** The key of a manifest's line whose value is wrong; undefined if all are right. */
export function wrongKeyOfLine(line: object): string | undefined {
  return wrongKey(line, checks);
}

/** A line that was checked, without keys that do not belong there. */
export function fileOf(line: object): ManifestFile {
  const { id, path, sha256, blob, kind, owner, layers, ...others } = line as ManifestLine;
  const { offered, movedTo } = others;
  const mode = Number.parseInt(others.mode, 8);
  const rare = { ...(offered && { offered }), ...(movedTo && { movedTo }) };
  return { id, path, sha256, blob, mode, kind, owner, layers, ...rare };
}
