import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { Files } from './files.js';

/** Where a project keeps its pristine texts. */
export const packFile = '.create-auth-service/base.pack';

/** The pristine texts in a `base.pack`, by path; read without the code that is tested. */
export function pristineTexts(pack = ''): Files {
  const lines = pack.split('\n').filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [path = '', , text = ''] = line.split('\t');
      return [path, inflateSync(Buffer.from(text, 'base64')).toString()];
    }),
  );
}

/** The pack with one text replaced. */
export function forged(pack: string, path: string): string {
  return changedLine(pack, path, (hash) => `${path}\t${hash}\tZm9yZ2Vk\n`);
}

/** Removes the pristine text of a file from the record of a project. */
export function losePristine(root: string, path: string): void {
  const file = join(root, packFile);
  writeFileSync(
    file,
    changedLine(readFileSync(file, 'utf8'), path, () => ''),
  );
}

function changedLine(pack: string, path: string, lineOf: (hash: string) => string): string {
  const after = pack
    .split(/(?<=\n)/)
    .map((line) => (line.startsWith(`${path}\t`) ? lineOf(line.split('\t')[1] ?? '') : line))
    .join('');
  if (after === pack) throw new Error(`there is no pristine text of ${path}`);
  return after;
}
