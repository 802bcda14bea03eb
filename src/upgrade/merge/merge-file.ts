import type { Merged, ThreeVersions } from './merge-result.js';
import { mergeText } from './merge-text.js';
import { isBinary } from './text-shape.js';

/**
 * Merges what the team and the template have both changed, in the way that suits the kind of file. A file nested more
 * deeply than the parsers can go is left as the team has it.
 */
export async function mergeFile(versions: ThreeVersions): Promise<Merged> {
  try {
    return await mergeByKind(versions);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const notes = ['it is nested too deeply to be merged'];
    return { content: versions.yours, conflict: 'unmergeable', notes };
  }
}

async function mergeByKind(versions: ThreeVersions): Promise<Merged> {
  const { kind, base, yours, theirs } = versions;
  if (kind === 'binary' || [base, yours, theirs].some(isBinary)) {
    return {
      content: yours,
      conflict: 'unmergeable',
      notes: ['it is not a text file, so it cannot be merged'],
    };
  }
  if (kind === 'json') return (await import('./merge-json.js')).mergeJson(versions);
  if (kind === 'yaml') return (await import('./merge-yaml.js')).mergeYaml(versions);
  return mergeText(versions);
}
