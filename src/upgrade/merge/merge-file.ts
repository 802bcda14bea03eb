import type { PlannedFile } from '../../plan/plan-project.js';
import { mergeJson } from './merge-json.js';
import { mergeText } from './merge-text.js';
import { mergeYaml } from './merge-yaml.js';
import type { Labels } from './regions.js';
import { isBinary } from './text-shape.js';

/** Three versions of a file of the template: as emitted, the team's, and the template's current one. */
export interface ThreeVersions extends Pick<PlannedFile, 'path' | 'kind' | 'owner'> {
  base: Buffer;
  yours: Buffer;
  theirs: Buffer;
  labels: Labels;
}

/** The result of a merge. */
export interface Merged {
  content: Buffer;
  /**
   * `marked`: marked by lines in the content. `by-key`: the content has the team's values where both sides changed one.
   * `unmergeable`: the content is the team's file. In the last two cases the template's file has to be put beside it.
   */
  conflict?: 'marked' | 'by-key' | 'unmergeable';
  /** For people, each a clause without a full stop. */
  notes: string[];
}

/**
 * Merges what the team and the template have both changed, in the way that suits the kind of file. A file nested too
 * deeply for the parsers is left as the team has it.
 */
export function mergeFile(versions: ThreeVersions): Merged {
  try {
    return mergeByKind(versions);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const notes = ['it is nested too deeply to be merged'];
    return { content: versions.yours, conflict: 'unmergeable', notes };
  }
}

function mergeByKind(versions: ThreeVersions): Merged {
  const { kind, base, yours, theirs } = versions;
  if ([base, yours, theirs].some(isBinary)) {
    return {
      content: yours,
      conflict: 'unmergeable',
      notes: ['it is not a text file, so it cannot be merged'],
    };
  }
  if (kind === 'json') return mergeJson(versions);
  if (kind === 'yaml') return mergeYaml(versions);
  return mergeText(versions);
}
