import { join, relative } from 'node:path';
import { type BuildOptions, build, type ImportKind, type Metafile, type Plugin } from 'esbuild';

const start = 'src/cli.ts';

/**
 * Bundles the generator into `cli.cjs`, which starts it and prints its help, and `commands.cjs` with all that is
 * imported by `import()`. A module that both need is only in the first, and the second imports it from there: so there
 * is only one class of errors, and one list of what a signal undoes.
 * @returns what went into them
 */
export async function bundleInTwo(options: BuildOptions): Promise<Metafile['inputs']> {
  const plugins = options.plugins ?? [];
  const imported = new Set<string>();
  const first = { ...options, plugins: [elsewhere(imported), ...plugins] };
  const { metafile } = await build({
    ...first,
    entryPoints: [start],
    metafile: true,
    write: false,
  });
  const shared = Object.keys(metafile.inputs).filter((path) => path.startsWith('src/'));
  await build({ ...first, ...entry('cli', startOf(shared)) });
  const second = await build({
    ...options,
    ...entry('commands', modulesOf([...imported])),
    metafile: true,
    plugins: [fromTheFirst(shared), ...plugins],
  });
  return { ...metafile.inputs, ...second.metafile.inputs };
}

function entry(name: string, contents: string) {
  return { entryNames: name, stdin: { contents, resolveDir: '.' } };
}

function startOf(shared: string[]): string {
  return `export { main } from './${start}';\n${modulesOf(shared)}`;
}

/** Each of them runs when it is first required, unless it has been imported by then. */
function modulesOf(paths: string[]): string {
  const lines = paths.map((path) => `'${path}': () => require('./${path}'),`);
  return `export const modules = {\n${lines.join('\n')}\n};`;
}

/** What is imported by `import()` is in the second file. */
function elsewhere(imported: Set<string>): Plugin {
  return takenFrom('commands', (path, kind) => {
    if (kind !== 'dynamic-import') return false;
    imported.add(path);
    return true;
  });
}

function fromTheFirst(shared: string[]): Plugin {
  return takenFrom('cli', (path) => shared.includes(path));
}

/** Imports the modules for which `isThere` is true from another file of the bundle. */
function takenFrom(file: string, isThere: (path: string, kind: ImportKind) => boolean): Plugin {
  const namespace = `in-${file}`;
  return {
    name: namespace,
    setup(bundler) {
      bundler.onResolve({ filter: /^\.{1,2}\/.*\.[jt]s$/ }, (imported) => {
        const place = relative('.', join(imported.resolveDir, imported.path));
        const path = place.replaceAll('\\', '/').replace(/\.js$/, '.ts');
        return isThere(path, imported.kind) ? { path, namespace } : undefined;
      });
      bundler.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
        contents: `module.exports = require('./${file}.cjs').modules['${path}']();`,
      }));
    },
  };
}
