import type { Layer } from '../catalog/layer.js';

export type Kind = 'text' | 'json' | 'yaml' | 'lines' | 'binary';
export type Owner = 'yours' | 'list' | 'ours' | 'frozen';

const lineFiles =
  /(^|\/)(\.gitignore|\.gitattributes|\.dockerignore|\.npmignore|\.npmrc|\.env\.example)$/;

/** How an upgrade merges the file: by key, by line, as text, or not at all. */
export function kindOf(path: string, content: Buffer): Kind {
  if (content.includes(0)) return 'binary';
  if (path.endsWith('.json')) return 'json';
  if (/\.ya?ml$/.test(path)) return 'yaml';
  return lineFiles.test(path) ? 'lines' : 'text';
}

/** Tells for each path who owns the file after creation; see docs/layers.md. */
export function ownersBy(layers: readonly Layer[]): (path: string) => Owner {
  const yours = new Set(layers.flatMap((layer) => layer.yours));
  const lists = new Set(layers.flatMap((layer) => layer.lists));
  return (path) => {
    if (path.startsWith('migrations/')) return 'frozen';
    if (yours.has(path)) return 'yours';
    return lists.has(path) ? 'list' : 'ours';
  };
}

/** The first path that a file ever had: an upgrade identifies a moved file by it. */
export function idOf(path: string, renamed: ReadonlyMap<string, string>): string {
  let id = path;
  for (let before = renamed.get(id); before !== undefined && before !== path; ) {
    id = before;
    before = renamed.get(id);
  }
  return id;
}

/** New path → previous path, from all layers. */
export function renamedBy(layers: readonly Layer[]): ReadonlyMap<string, string> {
  return new Map(layers.flatMap((layer) => Object.entries(layer.renamed)));
}

/** True if the owner may execute a file of this mode: all that git keeps of it. */
export function isExecutable(mode: number): boolean {
  return (mode & 0o100) !== 0;
}

/**
 * Executable if it names its interpreter; the template's own mode, which a checkout or a tarball may change, is
 * ignored.
 */
export function modeOf(content: Buffer): number {
  return content.subarray(0, 2).toString('latin1') === '#!' ? 0o755 : 0o644;
}
