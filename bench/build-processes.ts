import { build } from 'esbuild';
import { processFolder, root } from './places.js';

/**
 * Turns what runs in processes of its own into plain JavaScript, so that no TypeScript loader is
 * measured along. Packages stay imports: they are those of the templates, in the same versions.
 */
export async function buildProcesses(): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/*probe.ts', 'bench/load-process.ts', 'bench/peers/*.ts'],
    outdir: processFolder,
    outbase: 'bench',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
}
