import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** The license texts of all packages that went into the bundle: most of them ask to be kept with the code. */
export function thirdPartyLicenses(inputs: Metafile['inputs']): string {
  const folders = Object.keys(inputs).flatMap((path) => {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
    return found === undefined ? [] : [found];
  });
  return [...new Set(folders)].sort().map(licenseOf).join('\n');
}

function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
  if (!license) throw new Error(`${folder} says nothing about its license`);
  return `## ${name} ${version} (${license})\n\n${text}\n`;
}
