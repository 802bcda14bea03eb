import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import { build, type Plugin } from 'esbuild';

// `npm run build`: makes dist/ of src/ and migrations/. Why it is a bundle: docs/decisions/0013-the-build-is-a-bundle.md

/**
 * Packages that are not bundled, besides those with native code, which are found. A package belongs here if it looks for files
 * beside its own: pino starts transports from there, should you use one.
 */
const OUTSIDE = ['pino'];

interface PackageJson {
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const root = realpathSync(import.meta.dirname);
const dist = join(root, 'dist');
const { scripts = {}, dependencies: installed = {} } = packageJsonIn(root);

const programs = programsOf(Object.values(scripts));
const migrations = readdirSync(join(root, 'migrations')).filter((name) => name.endsWith('.ts'));

await rm(dist, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  // All files lie one level below dist/, which `import.meta.url` counts on, see below.
  entryPoints: [
    ...programs.map((path) => ({ in: path, out: `bundle/${nameOf(path)}` })),
    ...migrations.map((name) => ({ in: `migrations/${name}`, out: `migrations/${nameOf(name)}` })),
  ],
  outdir: dist,
  chunkNames: 'bundle/[name]-[hash]',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // A module of ours behind an `import()` stays in a file of its own, which is read when it is called.
  splitting: true,
  external: [...OUTSIDE, ...Object.keys(installed).filter((name) => isNative(name, root))],
  plugins: [ownModules(), lazyPackagesOutside()],
  // Packages in CommonJS ask for Node's modules by `require`, which an ES module does not have.
  banner: {
    js: "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);",
  },
  // Half of what Node would have to read and to keep. Names stay, for traces and profiles.
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'linked',
});
await Promise.all([...programs.map(writeLauncher), ...(await mapsBelow(dist)).map(keepOurs)]);

/** The service, and what the scripts of package.json run from src/: a command that is added there is built as well. */
function programsOf(lines: string[]): string[] {
  const named = lines.flatMap((line) => line.match(/\bsrc\/[\w/-]+\.ts\b/g) ?? []);
  return [...new Set(['src/main.ts', ...named])];
}

/** A program stays where it would be without a bundle; traces name the files and lines of src/. */
async function writeLauncher(program: string): Promise<void> {
  const file = join(dist, program.replace(/\.ts$/, '.js'));
  const bundled = slashed(relative(dirname(file), join(dist, 'bundle', `${nameOf(program)}.js`)));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(
    file,
    `process.setSourceMapsEnabled(true);\nawait import(${JSON.stringify(bundled)});\n`,
  );
}

async function mapsBelow(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true });
  return files.filter((file) => file.endsWith('.js.map')).map((file) => join(folder, file));
}

/**
 * Keeps of a source map what it says of our modules. Node takes all of it apart when the first trace is read: with that of the
 * packages, 100 ms and 40 MB. Where packages begin, it says that there is no source, so that they are not taken for ours.
 */
async function keepOurs(file: string): Promise<void> {
  const { sources, mappings } = JSON.parse(await readFile(file, 'utf8'));
  const kept: string[] = sources.filter((source: string) => isOwn(join(dirname(file), source)));
  const lines = decode(mappings).map((line) =>
    line
      .map(([column, source = -1, inLine = 0, inColumn = 0]): SourceMapSegment => {
        const place = kept.indexOf(sources[source]);
        return place < 0 ? [column] : [column, place, inLine, inColumn];
      })
      .filter(({ length }, index, all) => length > 1 || all[index - 1]?.length !== 1),
  );
  const map = { version: 3, sources: kept, names: [], mappings: encode(lines) };
  await writeFile(file, JSON.stringify(map));
}

/** What the bundle would lose of our modules, which packages may not have. */
function ownModules(): Plugin {
  return {
    name: 'own-modules',
    setup(bundler) {
      bundler.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!isOwn(path)) return undefined;
        const text = await readFile(path, 'utf8');
        await copyNamedBeside(path, text);
        return { contents: onlyWhatIsUsed(inItsPlace(path, text)), loader: 'ts' };
      });
    },
  };
}

/** `import.meta.url` says where the module would lie below dist/, had it a file of its own. */
function inItsPlace(path: string, text: string): string {
  const place = slashed(relative(root, path)).replace(/\.ts$/, '.js');
  return text.replaceAll('import.meta.url', `new URL('../${place}', import.meta.url).href`);
}

/** A file that a module names by `new URL('./…', import.meta.url)` lies beside that place. */
async function copyNamedBeside(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  for (const [, file = ''] of text.matchAll(/new URL\('(\.[^']*[^/'])', import\.meta\.url/g)) {
    await cp(join(folder, file), join(dist, relative(root, folder), file));
  }
}

/** The object `z` holds all of zod, every language included; of `* as z` the bundle keeps what is used. */
function onlyWhatIsUsed(text: string): string {
  return text.replace("import { z } from 'zod';", "import * as z from 'zod';");
}

/**
 * A package that we load by `import()` is loaded from node_modules, as it is at no start: of one in CommonJS a bundle would
 * give the default export only, where Node gives names as well.
 */
function lazyPackagesOutside(): Plugin {
  return {
    name: 'lazy-packages-outside',
    setup(bundler) {
      bundler.onResolve({ filter: /^[^.#]/ }, ({ path, kind, importer }) =>
        kind === 'dynamic-import' && isOwn(importer) ? { path, external: true } : undefined,
      );
    },
  };
}

/** Whether a package, or one that it depends on, holds code that was compiled for a machine; it finds that beside its own files. */
function isNative(name: string, from: string, seen = new Set<string>()): boolean {
  const folder = folderOf(name, from);
  if (!folder || seen.has(folder)) return false;
  seen.add(folder);
  const { dependencies, optionalDependencies } = packageJsonIn(folder);
  return (
    readdirSync(folder, { recursive: true }).some((file) => String(file).endsWith('.node')) ||
    Object.keys({ ...dependencies, ...optionalDependencies }).some((one) =>
      isNative(one, folder, seen),
    )
  );
}

/** Where Node would find a package from a folder; undefined if it is not installed, as those of other platforms are. */
function folderOf(name: string, from: string): string | undefined {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return realpathSync(folder);
  return dirname(from) === from ? undefined : folderOf(name, dirname(from));
}

function packageJsonIn(folder: string): PackageJson {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function isOwn(path: string): boolean {
  return !/^\.\.\/|(^|\/)node_modules\//.test(slashed(relative(root, path)));
}

function nameOf(path: string): string {
  return basename(path, '.ts');
}

function slashed(path: string): string {
  return path.replaceAll(sep, '/');
}
