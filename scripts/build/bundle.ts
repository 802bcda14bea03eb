import { readFileSync } from 'node:fs';
import { parse, resolve } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { bundleInTwo } from './bundle-in-two.js';

const options = {
  bundle: true,
  platform: 'node',
  // Node starts CommonJS without its loader of ES modules, which takes 10 ms and reads each file asynchronously.
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  target: 'node20.19',
  supported: { 'dynamic-import': false },
  minify: true,
  // Once a file: with `strict` of tsconfig.json, esbuild writes it into each of a hundred modules.
  banner: { js: '"use strict";' },
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  // Its CommonJS build loads its parts by names that no bundler can follow.
  alias: {
    'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
    // Nothing can be tree-shaken from its CommonJS build.
    yaml: resolve('node_modules/yaml/browser/dist/index.js'),
  },
  // Their texts are in a separate file.
  legalComments: 'none',
} as const;

/**
 * Bundles the generator into two files, and each of `src/packages/`, which only some runs need, into one beside them. A
 * module of the bundle runs when it is first imported: `import()` delays that, and with it the reading of the
 * packages it imports.
 * @returns what went into them
 */
export async function bundle(folder: string): Promise<Metafile['inputs']> {
  const own = await bundleInTwo({
    ...options,
    outdir: folder,
    define: { 'import.meta.dirname': '__dirname' },
    plugins: [builtinsAtCall, besideTheBundle],
  });
  const others = await build({
    ...options,
    metafile: true,
    entryPoints: ['src/packages/*.ts'],
    outdir: folder,
    plugins: [withoutOtherLanguages],
  });
  return { ...own, ...others.metafile.inputs };
}

/**
 * Packages that only some runs need are read when one of their functions is called; those that export more, when
 * imported.
 */
const besideTheBundle: Plugin = {
  name: 'beside-the-bundle',
  setup(bundler) {
    bundler.onResolve({ filter: /\/packages\/[\w-]+\.js$/ }, ({ path }) => ({
      path: parse(path).name,
      namespace: 'package',
    }));
    bundler.onLoad({ filter: /.*/, namespace: 'package' }, async ({ path: name }) => {
      const given: object = await import(`../../src/packages/${name}.js`);
      const isAllFunctions = Object.values(given).every((value) => typeof value === 'function');
      const whole = `module.exports = require('./${name}.cjs');`;
      return { contents: isAllFunctions ? atCall(given, `require('./${name}.cjs')`) : whole };
    });
    bundler.onResolve({ filter: /^\.\/[\w-]+\.cjs$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** A module whose functions load the real ones when one of them is called; its other values are read at the start. */
function atCall(module: object, fetched: string): string {
  const names = Object.entries(module).map(([name, value]) =>
    typeof value === 'function'
      ? `export const ${name} = (...given) => real().${name}(...given);`
      : `export const ${name} = /* @__PURE__ */ (() => real().${name})();`,
  );
  return ['let whole;', `const real = () => (whole ??= ${fetched});`, ...names].join('\n');
}

/**
 * Modules of Node are loaded when one of their functions is called: not every run starts a program (8 ms) or makes a
 * hash (6 ms). For those that are always loaded, esbuild would copy all names into each module that imports one.
 * Commander requires what starts programs, for sub-commands in files of their own, and never calls it here.
 */
const builtinsAtCall: Plugin = {
  name: 'builtins-at-call',
  setup(bundler) {
    bundler.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' || path === 'node:child_process'
        ? { path, namespace: 'builtin' }
        : undefined,
    );
    bundler.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
      const module = process.getBuiltinModule(path) ?? {};
      return { contents: atCall(module, `process.getBuiltinModule('${path}')`) };
    });
  },
};

/** Leaves out a fifth of Babel's parser: Flow and other languages that no service is written in. */
const withoutOtherLanguages: Plugin = {
  name: 'without-other-languages',
  setup(bundler) {
    bundler.onLoad({ filter: /@babel[/\\]parser[/\\]lib[/\\]index\.js$/ }, ({ path }) => {
      const all = /(const mixinPlugins = \{)[^}]*(\};)/;
      const contents = readFileSync(path, 'utf8');
      if (!all.test(contents)) throw new Error(`${path} lists its languages in another way now`);
      return { contents: contents.replace(all, '$1 jsx, typescript $2') };
    });
  },
};
