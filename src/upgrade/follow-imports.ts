import {
  type LostImport,
  lostImports,
  type PlacedFile,
  type Whereabouts,
  withFoundImports,
} from './lost-imports.js';
import { isCode } from './merge/parse-code.js';
import { isBinary } from './merge/text-shape.js';
import type { Decided } from './plan-upgrade.js';

export interface ImportInFile extends LostImport {
  path: string;
}

/**
 * Looks at what is written where the team has moved files of the template: new files import them from where they are
 * now, for nobody else has a say in those; what the others import from where they were is told.
 * @param paths of the project
 */
export function followImports(
  decided: Decided[],
  paths: Iterable<string>,
): { decided: Decided[]; lost: ImportInFile[] } {
  const places = new Map(decided.flatMap(placeOf));
  const isMoved = [...places].some(([templatePath, place]) => templatePath !== place);
  if (!isMoved) return { decided, lost: [] };
  const whereabouts = { places, there: new Set([...paths, ...places.values()]) };
  const followed = decided.map((each) => withImports(each, whereabouts));
  const lost = followed.flatMap((each) => {
    const file = writtenCode(each);
    return file ? lostImports(file, whereabouts).map((one) => ({ ...one, path: file.path })) : [];
  });
  return { decided: followed, lost };
}

function placeOf({ pair: { now }, decision: { path } }: Decided): [string, string][] {
  return now && path !== undefined ? [[now.path, path]] : [];
}

function withImports({ pair, decision }: Decided, whereabouts: Whereabouts): Decided {
  const file = writtenCode({ pair, decision });
  if (!file || !decision.result || decision.outcome !== 'added') return { pair, decision };
  const content = Buffer.from(withFoundImports(file, whereabouts));
  return { pair, decision: { ...decision, result: { ...decision.result, content } } };
}

/** A file with code that the upgrade writes. */
function writtenCode({
  pair: { now },
  decision: { path, result },
}: Decided): PlacedFile | undefined {
  if (!now || !result || path === undefined || !isCode(path) || isBinary(result.content)) {
    return undefined;
  }
  return { path, templatePath: now.path, text: result.content.toString() };
}
