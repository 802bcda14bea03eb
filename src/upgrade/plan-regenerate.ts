import { packPath, recordOf } from '../plan/base-pack.js';
import { gitBlobId, type Manifest, type ManifestFile, sha256Of } from '../plan/manifest.js';
import { isExecutable } from '../plan/ownership.js';
import type { ProjectFile } from '../project/read-file.js';
import { rebased } from './broken-imports.js';
import { isCode } from './merge/parse-code.js';
import { withLineEndsOf } from './merge/text-shape.js';
import { changeTo, type FileOutcome, type TreeChange, type UpgradePlan } from './upgrade-plan.js';

/** The input for regenerating files. */
interface RegenerateInput {
  manifest: Manifest;
  /** The files whose pristine text is to be restored. */
  files: ManifestFile[];
  /** Where the project has each emitted file, by the path at which it was emitted. */
  places: ReadonlyMap<string, string>;
  /** Those of them that were taken for moved ones. */
  moves: UpgradePlan['moves'];
  /** Pristine texts by id. */
  bases: ReadonlyMap<string, Buffer>;
  /** The template's texts that the project has not taken over, by id, as far as they can be found. */
  offers: ReadonlyMap<string, Buffer>;
  /** These files in the project, and its record, by path, as far as they exist. */
  project: ReadonlyMap<string, ProjectFile>;
}

/**
 * Plans how the emitted text of files is restored, in the team's line ends, with imports of what the team has moved. If
 * an upgrade has only reported a newer text of the template, the file and the record get that one. A file whose pristine
 * text is lost is kept.
 */
export function planRegenerate(input: RegenerateInput): UpgradePlan {
  const { manifest, files } = input;
  const each = files.map((file) => regenerated(file, input));
  return {
    from: manifest.version,
    to: manifest.version,
    outcomes: each.map(({ outcome }) => outcome),
    changes: each.flatMap(({ change }) => change ?? []),
    record: recordAfter(input),
    conflicts: [],
    pending: [],
    moves: input.moves,
    deletedLayers: [],
    nextSteps: [],
  };
}

function regenerated(
  file: ManifestFile,
  { bases, offers, places, project }: RegenerateInput,
): { outcome: FileOutcome; change?: TreeChange } {
  const { id, owner, mode } = file;
  const path = file.movedTo ?? file.path;
  const there = project.get(path);
  const isOlder = file.offered !== undefined && !offers.has(id);
  const about = { id, path, owner, ...(isOlder && { note: olderText }) };
  const emitted = offers.get(id) ?? bases.get(id);
  if (!emitted) {
    const note = 'its pristine text is neither in the record nor in git';
    return { outcome: { ...about, outcome: 'kept', note } };
  }
  const fitting = isCode(path) ? withImports(file, emitted, places) : emitted;
  const content = there ? withLineEndsOf(there.content, fitting) : fitting;
  const isPristine =
    there?.content.equals(content) && isExecutable(there.mode) === isExecutable(mode);
  if (isPristine) return { outcome: { ...about, outcome: isOlder ? 'kept' : 'unchanged' } };
  return {
    outcome: { ...about, outcome: there ? 'updated' : 'added' },
    change: changeTo(path, there, { content, mode }),
  };
}

const olderText =
  'the text that you were given; for the newer one, upgrade, then regenerate it again';

/** The text with imports that lead to where the files are now. */
function withImports(
  { path, movedTo }: ManifestFile,
  emitted: Buffer,
  places: ReadonlyMap<string, string>,
): Buffer {
  const file = { path: movedTo ?? path, templatePath: path, text: emitted.toString() };
  return Buffer.from(rebased(file, places, new Set(places.values())));
}

/** Records the newer texts as what the project was given. */
function recordAfter({ manifest, offers, project }: RegenerateInput): TreeChange[] {
  if (offers.size === 0) return [];
  const files = manifest.files.map(({ offered, ...file }): ManifestFile => {
    const content = offers.get(file.id);
    if (content) return { ...file, sha256: sha256Of(content), blob: gitBlobId(content) };
    return { ...file, offered };
  });
  return recordOf({ ...manifest, files }, offers.values(), project.get(packPath)?.content).map(
    ({ path, ...file }) => changeTo(path, project.get(path), file),
  );
}
