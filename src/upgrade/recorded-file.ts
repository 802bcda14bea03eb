import { type ManifestFile, manifestFile, sha256Of } from '../plan/manifest.js';
import type { Owner } from '../plan/ownership.js';
import { findBase } from './base.js';
import type { Decided, UpgradeInput } from './plan-upgrade.js';
import { isSameText } from './unedited.js';

/** What is remembered of a file: its line in the manifest and its pristine text. */
export interface RecordedFile {
  line: ManifestFile;
  /** Undefined if it lies where it lay; nobody has read it then. */
  base?: Buffer;
}

/** What the manifest says of a file afterwards; nothing if the template has it no more. */
export function recordedFile({ pair, decision }: Decided, input: UpgradeInput): RecordedFile[] {
  const { before, now, place, goesTo } = pair;
  if (!now) return [];
  const lies = decision.path ?? goesTo;
  const isBlocked = decision.outcome === 'beside' && place !== undefined && place !== lies;
  const at = isBlocked ? place : lies;
  const moved = at !== undefined && at !== now.path && { movedTo: at };
  const line = { ...manifestFile(now, before), ...moved };
  const known = keptBase({ pair, decision }, input);
  if (!before || !known) return [{ line, base: now.content }];
  const { sha256, blob } = before;
  return [{ line: { ...line, sha256, blob, offered: line.sha256 }, ...known }];
}

/**
 * A file that is the team's, or a migration, keeps the text that the project was given, and so does its record: else a file
 * that nobody has touched would count as edited as soon as the template changes.
 * @returns undefined if the record follows the template
 */
function keptBase(
  { pair: { id, before, now, place }, decision }: Decided,
  { project, bases }: UpgradeInput,
): Pick<RecordedFile, 'base'> | undefined {
  if (!before || !now || before.sha256 === sha256Of(now.content)) return undefined;
  const isTheTeams = [before.owner, now.owner].some((owner) => kept.includes(owner));
  const isNoNews = before.offered === sha256Of(now.content);
  // The team takes over what lies beside: from then on it has that text, as after a conflict.
  if (decision.beside || !(isTheTeams || isNoNews)) return undefined;
  const there = place === undefined ? undefined : project.get(place)?.content;
  const after = decision.result?.content ?? there;
  if (after && isSameText(after, now.content)) return undefined;
  if (before.path === now.path) return {};
  const base = findBase(before, [() => bases.get(id), () => there]);
  return base && { base };
}

const kept: Owner[] = ['yours', 'frozen'];
