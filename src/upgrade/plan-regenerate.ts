import { type Manifest, type ManifestFile, sha256Of } from '../plan/manifest.js';
import type { ProjectFile } from '../project/read-file.js';
import type { FileOutcome, TreeChange, UpgradePlan } from './upgrade-plan.js';

/** What was read before files are regenerated. */
export interface RegenerateInput {
  manifest: Manifest;
  /** The files that are to have their pristine text again. */
  files: ManifestFile[];
  /** Pristine texts by id. */
  bases: ReadonlyMap<string, Buffer>;
  /** Of the project, by path, as far as they exist. */
  project: ReadonlyMap<string, ProjectFile>;
}

/** Plans how files get the text back that was emitted. A file whose pristine text nobody knows any more is kept. */
export function planRegenerate({ manifest, files, bases, project }: RegenerateInput): UpgradePlan {
  const each = files.map((file) => regenerated(file, bases.get(file.id), project));
  return {
    from: manifest.version,
    to: manifest.version,
    outcomes: each.map(({ outcome }) => outcome),
    changes: each.flatMap(({ change }) => change ?? []),
    conflicts: [],
    pending: [],
    nextSteps: [],
  };
}

function regenerated(
  file: ManifestFile,
  base: Buffer | undefined,
  project: RegenerateInput['project'],
): { outcome: FileOutcome; change?: TreeChange } {
  const { id, owner, mode } = file;
  const path = file.movedTo ?? file.path;
  const there = project.get(path);
  const about = { id, path, owner };
  if (!base) {
    const note = 'its pristine text is neither in the record nor in git';
    return { outcome: { ...about, outcome: 'kept', note } };
  }
  const isExecutable = (bits: number) => (bits & 0o100) !== 0;
  const isPristine = there?.content.equals(base) && isExecutable(there.mode) === isExecutable(mode);
  if (isPristine) return { outcome: { ...about, outcome: 'unchanged' } };
  return {
    outcome: { ...about, outcome: there ? 'updated' : 'added' },
    change: {
      path,
      before: there && { sha256: sha256Of(there.content), mode: there.mode },
      after: { content: base, mode },
    },
  };
}
