import { build } from 'esbuild';

/** Bundles the generator with everything it needs into one ESM file. */
await build({
  entryPoints: ['src/cli.ts'],
  outfile: 'dist/cli.js',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  minify: true,
  legalComments: 'none',
  // CommonJS dependencies inside an ESM file still call require for Node's own modules.
  banner: {
    js: "import { createRequire as bundledRequire } from 'node:module'; const require = bundledRequire(import.meta.url);",
  },
});
