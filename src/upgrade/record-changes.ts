import { packPath, recordOf } from '../plan/base-pack.js';
import {
  type Manifest,
  type ManifestFile,
  manifestFile,
  manifestText,
  sha256Of,
} from '../plan/manifest.js';
import type { Owner } from '../plan/ownership.js';
import type { Decided, UpgradeInput } from './plan-upgrade.js';
import { isSameText } from './unedited.js';
import { changeTo, isChange, type TreeChange } from './upgrade-plan.js';

/**
 * The changes to the project's record, the manifest last; none if nothing else changes and the manifest says it already.
 * That the team has moved or deleted a file does not count by itself.
 */
export function recordChanges(
  input: UpgradeInput,
  decided: Decided[],
  pending: string[],
  hasOtherChanges: boolean,
): TreeChange[] {
  const { project, bases } = input;
  const { version, answers, files: planned } = input.next;
  const files = decided.flatMap((each) => recordedFile(each, input));
  const manifest = { version, answers, files, pending };
  if (!hasOtherChanges && placeless(manifest) === placeless(input.manifest)) return [];
  // Texts that the pack has lost and git still had are put back into it.
  const texts = [...planned.map(({ content }) => content), ...bases.values()];
  return recordOf(manifest, texts, project.get(packPath)?.content)
    .map(({ path, ...file }) => changeTo(path, project.get(path), file))
    .filter(isChange);
}

/** The text of a manifest without what it says about where the team's files are. */
function placeless(manifest: Manifest): string {
  const files = manifest.files.map(({ movedTo: _, deleted: __, ...file }) => file);
  return manifestText({ ...manifest, files });
}

/** What the manifest says about a file afterwards; nothing if the template no longer has it. */
function recordedFile({ pair, decision }: Decided, input: UpgradeInput): ManifestFile[] {
  const { before, now, place, goesTo } = pair;
  if (!now) return [];
  const lies = decision.path ?? goesTo;
  const isBlocked = decision.outcome === 'beside' && place !== undefined && place !== lies;
  const at = isBlocked ? place : lies;
  const moved = at !== undefined && at !== now.path && { movedTo: at };
  // If moves are not sought, the file may be anywhere.
  const wasSought = before?.deleted || input.moves !== false;
  const isDeleted = before && wasSought && place === undefined && decision.path === undefined;
  const deleted = isDeleted && { deleted: true as const };
  const line = { ...manifestFile(now, before), ...moved, ...deleted };
  if (!before || !keepsBase({ pair, decision }, input)) return [line];
  return [{ ...line, sha256: before.sha256, blob: before.blob, offered: line.sha256 }];
}

/**
 * True if the record keeps the text that the project was given: for a file that belongs to the team, or a migration,
 * which otherwise would count as edited as soon as the template changes; and for one that is not there, which may come
 * back as it was.
 */
function keepsBase(
  { pair: { before, now, place }, decision }: Decided,
  { project }: UpgradeInput,
): boolean {
  if (!before || !now || before.sha256 === sha256Of(now.content)) return false;
  if (decision.takesOver) return false;
  const there = place === undefined ? undefined : project.get(place)?.content;
  const after = decision.result?.content ?? there;
  if (!after) return decision.path === undefined;
  const isTheTeams = [before.owner, now.owner].some((owner) => kept.includes(owner));
  const isHeldBack = before.offered === sha256Of(now.content) && there?.equals(after) === true;
  // The team takes over the text beside the file and then has that text, as after a conflict.
  return !decision.beside && (isTheTeams || isHeldBack) && !isSameText(after, now.content);
}

const kept: Owner[] = ['yours', 'frozen'];
