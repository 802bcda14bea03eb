import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { build, type Plugin } from 'esbuild';
import { thirdPartyLicenses } from './third-party-licenses.js';

// Bundles the generator with everything it needs: ESM, no dependencies.

/**
 * Fetches Node's own modules where they are used. An `import` of them would be hoisted to the top of the file and
 * load all of them before the command is known: 15 ms of `--help` on Node 20.
 */
const builtinsOnDemand: Plugin = {
  name: 'builtins-on-demand',
  setup(bundle) {
    bundle.onResolve({ filter: /^(node:)?[a-z_/]+$/ }, ({ path }) => {
      const name = path.replace(/^node:/, '');
      return builtinModules.includes(name) ? { path: name, namespace: 'builtin' } : undefined;
    });
    bundle.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/** Commander starts programs for sub-commands in files of their own; there are none here, so 2 ms less to load. */
const withoutSubprograms: Plugin = {
  name: 'without-subprograms',
  setup(bundle) {
    bundle.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[/\\]commander[/\\]/.test(importer) ? { path: 'none', namespace: 'empty' } : undefined,
    );
    bundle.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({
      contents: 'module.exports = {};',
    }));
  },
};

const { metafile } = await build({
  entryPoints: ['src/cli.ts'],
  outdir: 'dist',
  bundle: true,
  // What only some commands need lies in files of its own: Node 20 reads a bundle anew at each start.
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  minify: true,
  // Its CommonJS build loads its parts by names that no bundler can follow.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  // Their texts are in the file below.
  legalComments: 'none',
  metafile: true,
  plugins: [withoutSubprograms, builtinsOnDemand],
});

const stale = readdirSync('dist').filter((name) => !(`dist/${name}` in metafile.outputs));
for (const name of stale) rmSync(`dist/${name}`);

writeFileSync('dist/third-party-licenses.txt', thirdPartyLicenses(metafile));
