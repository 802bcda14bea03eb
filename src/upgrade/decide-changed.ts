import type { ManifestFile } from '../plan/manifest.js';
import { isExecutable } from '../plan/ownership.js';
import type { PlannedFile } from '../plan/plan-project.js';
import type { ProjectFile } from '../project/read-file.js';
import type { Decision, Known } from './decide-file.js';
import { mergeFile } from './merge/merge-file.js';
import { formatIsGone } from './merge/merge-text.js';
import { isOnlyReformatted } from './merge/same-code.js';
import { encodingOf, isBinary, linesOf, shapeOf, textFrom } from './merge/text-shape.js';
import { isSameText, isUnedited } from './unedited.js';

/** A file that the template had before, still has, and that the project has too. */
interface Changed extends Known {
  before: ManifestFile;
  now: PlannedFile;
  yours: ProjectFile;
}

/** The part of a decision that is about content. */
type ContentDecision = Omit<Decision, 'missing' | 'path' | 'result'> & { content: Buffer };

/** Decides about a file that both sides have: its content, its mode and its place are merged separately. */
export function decideChanged(changed: Changed): Decision {
  const { pair, before, now, yours, inTheWay, rebasedTexts } = changed;
  const { place, goesTo } = pair;
  if (goesTo !== place && inTheWay && !isSameText(inTheWay.content, now.content)) {
    const note = `the template has moved ${place} there, but you have a file of your own`;
    return { outcome: 'beside', note, path: goesTo, beside: rebasedTexts?.theirs ?? now.content };
  }
  const { content, ...decided } = decideContent(changed);
  const mode = mergeMode(before.mode, yours.mode, now.mode);
  const isSame = content.equals(yours.content) && mode === yours.mode;
  if (goesTo !== place) {
    const isResolved = !decided.beside && !decided.conflict;
    const note = [isSame ? '' : `its text is ${decided.outcome}`, decided.note ?? ''];
    return {
      ...decided,
      ...(isResolved ? { outcome: 'moved', note: note.filter(Boolean).join('; ') } : {}),
      path: goesTo,
      result: { content, mode },
    };
  }
  if (isSame) return withPlace({ ...decided, path: place }, changed);
  const outcome = decided.outcome === 'unchanged' ? 'updated' : decided.outcome;
  return withPlace({ ...decided, outcome, path: place, result: { content, mode } }, changed);
}

/** If both sides have moved a file, the team's place wins. */
function withPlace(decision: Decision, { pair: { place }, before, now }: Changed): Decision {
  if (before.path === now.path || place === now.path) return decision;
  const stays = `the template has moved it to ${now.path}; it stays where you have it`;
  const note = decision.note ? `${decision.note}; ${stays}` : stays;
  const outcome = decision.outcome === 'unchanged' ? 'kept' : decision.outcome;
  return { ...decision, outcome, note };
}

function decideContent(changed: Changed): ContentDecision {
  const { before, now, yours, rebasedTexts } = changed;
  const { content } = yours;
  const base = rebasedTexts?.base ?? changed.base;
  const theirs = inShapeOf(content, rebasedTexts?.theirs ?? now.content);
  if ([now.content, theirs].some((text) => isSameText(content, text))) {
    return { outcome: 'unchanged', content, takesOver: true };
  }
  if (isUnedited(now.content, before) && !isOwed(changed)) return heldBack(changed);
  const owners = [before.owner, now.owner];
  const isTheTeams = owners.includes('yours');
  const upstream = { before: changed.base, now: now.content };
  const kept = { outcome: 'kept' as const, content, upstream };
  if (owners.includes('frozen')) return { ...kept, note: 'migrations are never changed' };
  if (isTheTeams && !changed.hasOtherAnswers) {
    return { ...kept, note: 'it is yours; the template has changed it' };
  }
  const updated = { outcome: 'updated' as const, content: theirs, takesOver: true };
  if (isUnedited(content, before) || (base && isSameText(content, base))) return updated;
  if (base && isOnlyReformatted(now.path, base, content)) {
    return { ...updated, note: `you had only formatted it: ${formatIsGone}` };
  }
  if (isTheTeams) {
    // Other layers may not compile without what they need from this file.
    const note = 'it is yours: copy what the new choice needs from the .template';
    return { outcome: 'beside', content, note, beside: theirs };
  }
  if (!base) {
    const note = 'its pristine text is lost, so your changes cannot be identified';
    return { outcome: 'no-base', content, note, beside: theirs };
  }
  return mergeContent(changed, base, theirs);
}

/** True if the file is the template's, and was not there when an upgrade could only report the newer text. */
function isOwed({ before, now, yours, labels }: Changed): boolean {
  const isKept = [before.owner, now.owner].some((owner) => owner === 'yours' || owner === 'frozen');
  if (before.offered === undefined || isKept) return false;
  return before.deleted || labels.from !== labels.to || isUnedited(yours.content, before);
}

/** Still offers what the template changed earlier and the file has not taken over since. */
function heldBack({ before, now, yours: { content }, base }: Changed): ContentDecision {
  const unchanged = { outcome: 'unchanged' as const, content };
  if (before.offered === undefined || !base || isTakenOver(base, now.content, content)) {
    return unchanged;
  }
  const note = 'the template has changed it; yours was kept';
  return { ...unchanged, note, upstream: { before: base, now: now.content } };
}

/** True if the team's file has every line that the template has added and none that it has removed. */
function isTakenOver(base: Buffer, now: Buffer, yours: Buffer): boolean {
  const lines = (content: Buffer) => new Set(linesOf(content).map((line) => line.trim()));
  const [before, after, own] = [lines(base), lines(now), lines(yours)];
  const isKept = [...after].every((line) => before.has(line) || own.has(line));
  return isKept && [...before].every((line) => after.has(line) || !own.has(line));
}

function mergeContent(
  { now, yours, labels }: Changed,
  base: Buffer,
  theirs: Buffer,
): ContentDecision {
  const merged = mergeFile({ ...now, base, yours: yours.content, theirs, labels });
  const { content, notes } = merged;
  const noted = notes.length > 0 ? { note: notes.join('; ') } : {};
  if (merged.conflict === undefined) {
    if (!content.equals(yours.content)) return { outcome: 'merged', content, ...noted };
    // The report shows no unchanged files: what a merge has left out would be in `--json` only.
    return { outcome: notes.length > 0 ? 'kept' : 'unchanged', content, ...noted };
  }
  if (merged.conflict === 'marked') {
    const conflict = { base: inShapeOf(yours.content, base), yours: yours.content, theirs };
    return { outcome: 'conflict', content, ...noted, conflict };
  }
  const outcome = merged.conflict === 'by-key' ? 'conflict' : 'beside';
  return { outcome, content, ...noted, beside: theirs };
}

/** A text of the template with the line ends of the team's text. */
function inShapeOf(yours: Buffer, text: Buffer): Buffer {
  if (isBinary(yours) || isBinary(text)) return text;
  return textFrom(linesOf(text), { ...shapeOf(yours), encoding: encodingOf(text) });
}

const executable = 0o111;

/**
 * The mode of a merged file. Only who may execute it is merged, where a change of the template wins. All other bits are
 * the team's, because they come from its umask.
 */
function mergeMode(base: number, yours: number, theirs: number): number {
  const isChanged = isExecutable(base) !== isExecutable(theirs);
  if (!isChanged) return yours;
  if (!isExecutable(theirs)) return yours & ~executable;
  // Whoever may read it may execute it.
  return yours | ((yours >> 2) & executable);
}
