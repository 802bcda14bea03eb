import {
  type ManifestFile,
  manifestFile,
  manifestPath,
  manifestText,
  pristineRecord,
  sha256Of,
} from '../plan/manifest.js';
import { basePath } from './place-files.js';
import type { Decided, UpgradeInput } from './plan-upgrade.js';
import { changeTo, isChange } from './tree-change.js';
import type { TreeChange } from './upgrade-plan.js';

/** True if the manifest says already what these templates give; where the team has moved a file alone is no news. */
export function isRecorded({ manifest, next: { version, answers, files } }: UpgradeInput): boolean {
  const there = manifest.files.map(({ movedTo: _, ...file }) => file);
  const before = new Map(there.map((file) => [file.id, file]));
  const lines = files.map((file) => manifestFile(file, before.get(file.id)));
  const now = { schema: 1 as const, version, answers, files: lines, pending: [] };
  return manifestText({ ...manifest, files: there }) === manifestText(now);
}

/** The record of the project as it is afterwards, as far as it differs; the manifest last. */
export function recordChanges(
  { manifest, next, project }: UpgradeInput,
  decided: Decided[],
  pending: string[],
): TreeChange[] {
  const files = decided.flatMap(recordedFile);
  const { version, answers } = next;
  const text = manifestText({ schema: 1, version, answers, files, pending });
  const before = new Map(manifest.files.map((file) => [file.path, file]));
  const now = new Set(next.files.map(({ path }) => path));
  const gone = manifest.files.filter(({ path }) => !now.has(path));
  const isKept = new Set(
    next.files
      .filter(({ path, content }) => before.get(path)?.sha256 === sha256Of(content))
      .map(({ path }) => basePath(path)),
  );
  const written = pristineRecord(next).filter(({ path }) => !isKept.has(path));
  return [
    ...gone.map(({ path }) => changeTo(project, basePath(path), undefined)),
    ...written.map(({ path, ...file }) => changeTo(project, path, file)),
    changeTo(project, manifestPath, { content: Buffer.from(text), mode: 0o644 }),
  ].filter(isChange);
}

function recordedFile({ pair, decision }: Decided): ManifestFile[] {
  const { before, now, place, goesTo } = pair;
  if (!now) return [];
  const lies = decision.path ?? goesTo;
  const isBlocked = decision.outcome === 'beside' && place !== undefined && place !== lies;
  const at = isBlocked ? place : lies;
  return [
    { ...manifestFile(now, before), ...(at !== undefined && at !== now.path && { movedTo: at }) },
  ];
}
