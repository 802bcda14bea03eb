import type { PlannedFile } from '../plan/plan-project.js';
import type { ProjectFile } from '../project/read-file.js';
import { decideChanged } from './decide-changed.js';
import type { RebasedTexts } from './follow-imports.js';
import type { Labels } from './merge/regions.js';
import { isOnlyReformatted } from './merge/same-code.js';
import type { MissingExport } from './missing-exports.js';
import type { PlacedPair } from './place-files.js';
import { isSameText, isUnedited } from './unedited.js';
import type { Conflict, FileOutcome, Outcome } from './upgrade-plan.js';

/** The decision about one file. */
export interface Decision {
  outcome: Outcome;
  note?: string;
  upstream?: FileOutcome['upstream'];
  /** What the team has to add to its file. */
  missing?: MissingExport[];
  /** The path of the team's file afterwards; undefined if it has none. */
  path: string | undefined;
  /** The file afterwards, if it changes. */
  result?: ProjectFile;
  /** The template's text, if it is to be put beside `path`. */
  beside?: Buffer;
  /** The sides of a marked conflict. */
  conflict?: Omit<Conflict, 'path' | 'from' | 'mode'>;
  /** True if the file has the template's text afterwards, with imports that follow what the team has moved. */
  takesOver?: boolean;
}

/** The input for a decision about a file. */
export interface Known {
  pair: PlacedPair;
  /** The team's file. */
  yours: ProjectFile | undefined;
  base: Buffer | undefined;
  /** Compared, merged and written instead of base and template if the team has moved what they import. */
  rebasedTexts: RebasedTexts | undefined;
  /** Another file of the project at the path where the template's would go. */
  inTheWay: ProjectFile | undefined;
  labels: Labels;
  /** True if the project gets other layers, not newer ones. */
  hasOtherAnswers: boolean;
}

/** Decides what becomes of a file. Pure: it gets all it needs as arguments. */
export function decideFile(known: Known): Decision {
  const { pair, yours, base, inTheWay } = known;
  const { before, now } = pair;
  if (!now) return decideDropped(known);
  if (!before) return decideNew(known, now);
  if (yours) return decideChanged({ ...known, yours, before, now });
  // Somebody has deleted it, and has a file of their own where the template has moved it.
  if (inTheWay) return decideNew(known, now);
  if (isUnedited(now.content, before)) return { outcome: 'unchanged', path: undefined };
  return {
    outcome: 'deleted',
    note: 'you deleted it; the template has changed it',
    upstream: { before: base, now: now.content },
    path: undefined,
  };
}

function decideNew(
  { pair, inTheWay, rebasedTexts }: Known,
  { path: emittedAt, content, mode }: PlannedFile,
): Decision {
  const path = pair.goesTo ?? emittedAt;
  const rebased = rebasedTexts?.theirs ?? content;
  if (!inTheWay) return { outcome: 'added', path, result: { content: rebased, mode } };
  const isThere = [content, rebased].some(
    (text) =>
      isSameText(inTheWay.content, text) || isOnlyReformatted(emittedAt, text, inTheWay.content),
  );
  if (isThere) return { outcome: 'unchanged', path };
  const note = 'you have a file of your own there';
  return { outcome: 'beside', note, path, beside: rebased };
}

function decideDropped({ pair, yours, base, rebasedTexts }: Known): Decision {
  const { before, place } = pair;
  if (!yours || !before) return { outcome: 'unchanged', path: undefined };
  if (before.owner === 'frozen') {
    return { outcome: 'kept', note: 'a migration stays, its table may have data', path: place };
  }
  const emitted = rebasedTexts?.base ?? base;
  const isPristine =
    isUnedited(yours.content, before) ||
    (emitted !== undefined && isOnlyReformatted(before.path, emitted, yours.content));
  if (isPristine) return { outcome: 'removed', path: undefined };
  return {
    outcome: 'kept',
    note: 'the template has dropped it; you edited it, so it stays: delete it if nothing needs it',
    upstream: { before: base },
    path: place,
  };
}

/** The layers that had files in a folder of their name, none of which the project still has. */
export function deletedLayers(pairs: PlacedPair[]): ReadonlySet<string> {
  const own = pairs.flatMap(({ before, place }) => {
    const [layer = '', ...others] = before?.layers ?? [];
    const isOwn = others.length === 0 && before?.path.startsWith('src/');
    return isOwn && before?.path.split('/').includes(layer) ? [{ layer, place }] : [];
  });
  const left = new Set(own.flatMap(({ layer, place }) => (place === undefined ? [] : [layer])));
  return new Set(own.map(({ layer }) => layer).filter((layer) => !left.has(layer)));
}

/** A file whose layer somebody has deleted is not brought back. Undefined for all other files. */
export function decideDeleted(
  { before, now, place }: PlacedPair,
  deleted: ReadonlySet<string>,
): Decision | undefined {
  const layers = now?.layers ?? [];
  const isDeleted = layers.length > 0 && layers.every((layer) => deleted.has(layer));
  if (!isDeleted || place !== undefined) return undefined;
  if (before) return { outcome: 'unchanged', path: undefined };
  return { outcome: 'deleted', note: `you have deleted ${layers.join(', ')}`, path: undefined };
}
