import type { Source } from '../catalog/read-sources.js';

/** The template that won a path, and the layers that contribute to it. */
export interface LaidFile {
  source: Source;
  layers: string[];
}

/**
 * Lays the templates over one another: a later one takes the place of an earlier one.
 * @throws Error if a layer takes a path that is neither in its `replaces` nor below `when/`
 */
export function layOver(sources: Source[]): Map<string, LaidFile> {
  const tree = new Map<string, LaidFile>();
  for (const source of sources) {
    const below = tree.get(source.path);
    if (below) refuseUnannounced(source, below.source);
    tree.set(source.path, { source, layers: [...(below?.layers ?? []), source.layer.name] });
  }
  return tree;
}

function refuseUnannounced(above: Source, below: Source): void {
  const isAnnounced = above.layer.replaces.includes(above.path);
  // Of two overlays the later one must declare that it replaces.
  const mayReplace = above.isOverlay
    ? isAnnounced || !below.isOverlay
    : isAnnounced && !below.isOverlay;
  if (!mayReplace) {
    throw new Error(
      `${above.path} comes from ${below.from} and from ${above.from}: say so in "replaces" or put it below when/`,
    );
  }
}
