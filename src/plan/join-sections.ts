import { posix } from 'node:path';
import type { ComposedFile } from './plan-project.js';

/** The page that a file is a section of, if it is one: `docs/doors/front.md` is a section of `docs/doors.md`. */
export function pageOf(path: string, tree: ReadonlyMap<string, ComposedFile>): string | undefined {
  if (!path.endsWith('.md')) return undefined;
  const page = `${posix.dirname(path)}.md`;
  return tree.has(page) ? page : undefined;
}

/**
 * Joins each page with its sections, sorted by their paths.
 * @throws Error if the page is a list: a fault of the templates
 */
export function joinSections(tree: ReadonlyMap<string, ComposedFile>): Map<string, ComposedFile> {
  const joined = new Map(tree);
  const sections = [...tree].flatMap(([path, file]) => {
    const page = pageOf(path, tree);
    return page === undefined ? [] : [{ path, page, ...file }];
  });
  for (const { path, page, source, layers } of sections.sort((a, b) =>
    a.path < b.path ? -1 : 1,
  )) {
    const above = joined.get(page);
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
