import { build } from 'esbuild';
import { filesBelow } from '../matrix/child.js';
import { order } from './order.js';

/** What the source of an emitted service imports at run time, tests left out. */
export interface Imports {
  /** Each with the path that imports and the path that is imported, below the service's folder. */
  all: { from: string; to: string }[];
  /** The violations, one sentence each. */
  problems: string[];
}

/** Reads the imports of the `src/` in a folder as esbuild does, which leaves out what is only a type. */
export async function readImports(folder: string): Promise<Imports> {
  const sources = filesBelow(folder).filter((path) =>
    /^src\/.*(?<!\.test)\.[cm]?[jt]s$/.test(path),
  );
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: sources,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: 'dist',
    write: false,
    metafile: true,
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  const all = Object.entries(metafile.inputs).flatMap(([from, { imports }]) =>
    imports.filter(({ external }) => !external).map(({ path }) => ({ from, to: path })),
  );
  return { all, problems: [...unplaced(sources), ...cyclesIn(all), ...upwards(all)] };
}

/** The entry of `src/` that a path belongs to. */
export function entryOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function unplaced(sources: string[]): string[] {
  return [...new Set(sources.map(entryOf))]
    .filter((entry) => rowOf(entry) < 0)
    .map((entry) => `src/${entry} has no place in scripts/imports/order.ts`);
}

function rowOf(entry: string): number {
  return order.findIndex((row) => row.includes(entry));
}

function upwards(all: Imports['all']): string[] {
  return all
    .filter(({ from }) => from !== 'src/policy.ts' && rowOf(entryOf(from)) >= 0)
    .filter(({ from, to }) => rowOf(entryOf(to)) > rowOf(entryOf(from)))
    .map(({ from, to }) => `upwards: ${from} → ${to}`);
}

/** A cycle for each import that leads back to where a walk along the imports has come from. */
function cyclesIn(all: Imports['all']): string[] {
  const done = new Set<string>();
  const walk = (path: string, way: string[]): string[] => {
    if (way.includes(path))
      return [`a cycle: ${[...way.slice(way.indexOf(path)), path].join(' → ')}`];
    if (done.has(path)) return [];
    const found = all
      .filter(({ from }) => from === path)
      .flatMap(({ to }) => walk(to, [...way, path]));
    done.add(path);
    return found;
  };
  return [...new Set(all.map(({ from }) => from))].flatMap((path) => walk(path, []));
}
