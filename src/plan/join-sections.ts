import { posix } from 'node:path';
import type { ComposedFile } from './plan-project.js';

/** The page that a file is a section of, if it is one: `docs/doors/front.md` is a section of `docs/doors.md`. */
export function pageOf(path: string, tree: ReadonlyMap<string, ComposedFile>): string | undefined {
  const page = `${posix.dirname(path)}.md`;
  return path.endsWith('.md') && tree.has(page) ? page : undefined;
}

/**
 * Joins each page with its sections, sorted by their paths.
 * @throws Error if the page is a list: a fault of the templates
 */
export function joinSections(tree: ReadonlyMap<string, ComposedFile>): Map<string, ComposedFile> {
  const joined = new Map(tree);
  for (const [path, { source, layers }] of [...tree].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const page = pageOf(path, tree);
    const above = page && joined.get(page);
    if (!above) continue;
    if (above.source.isList) throw new Error(`${page} is rendered: it can have no sections`);
    const content = Buffer.concat([above.source.content, Buffer.from('\n'), source.content]);
    joined.set(page, {
      source: { ...above.source, content },
      layers: [...new Set([...above.layers, ...layers])],
    });
    joined.delete(path);
  }
  return joined;
}
