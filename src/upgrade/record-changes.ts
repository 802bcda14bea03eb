import { type ManifestFile, manifestPath, manifestText, pristineRecord } from '../plan/manifest.js';
import type { ProjectFile } from '../project/read-file.js';
import { basePath } from './place-files.js';
import type { Decided, UpgradeInput } from './plan-upgrade.js';
import { type RecordedFile, recordedFile } from './recorded-file.js';
import { changeTo, isChange } from './tree-change.js';
import type { ReadFile, TreeChange } from './upgrade-plan.js';

/** True if the manifest says already what comes out; where the team has moved a file alone is no news. */
export function isRecorded(input: UpgradeInput, decided: Decided[]): boolean {
  const { version, answers } = input.next;
  const files = decided.flatMap((each) => recordedFile(each, input)).map(({ line }) => line);
  const now = { schema: 1 as const, version, answers, files: files.map(unmoved), pending: [] };
  const { manifest } = input;
  return manifestText({ ...manifest, files: manifest.files.map(unmoved) }) === manifestText(now);
}

function unmoved({ movedTo: _, ...file }: ManifestFile): ManifestFile {
  return file;
}

/** The record of the project as it is afterwards, as far as it differs; the manifest last. */
export function recordChanges(
  input: UpgradeInput,
  decided: Decided[],
  pending: string[],
  read: ReadFile,
): TreeChange[] {
  const { manifest, next, project } = input;
  const { version, answers } = next;
  const files = decided.flatMap((each) => recordedFile(each, input));
  const lines = files.map(({ line }) => line);
  const text = manifestText({ schema: 1, version, answers, files: lines, pending });
  const now = new Set(next.files.map(({ path }) => path));
  const gone = manifest.files.filter(({ path }) => !now.has(path));
  const written = [...pristineRecord({ files: [] }), ...newBases(manifest.files, files)];
  const to = (path: string, after: ProjectFile | undefined) => changeTo(path, read(path), after);
  return [
    ...gone.map(({ path }) => to(basePath(path), undefined)),
    ...written.map(({ path, ...file }) => to(path, file)),
    changeTo(manifestPath, project.get(manifestPath), { content: Buffer.from(text), mode: 0o644 }),
  ].filter(isChange);
}

/** The pristine texts that do not lie there already. */
function newBases(before: ManifestFile[], files: RecordedFile[]) {
  const known = new Map(before.map(({ path, sha256 }) => [path, sha256]));
  return files.flatMap(({ line: { path, sha256, mode }, base: content }) =>
    content && known.get(path) !== sha256 ? [{ path: basePath(path), content, mode }] : [],
  );
}
