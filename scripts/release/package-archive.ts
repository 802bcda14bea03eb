import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { repositoryFolder } from '../matrix/child.js';
import { releasesFolder } from './recorded-files.js';

/** What a published package holds: path → text. All of its files are texts. */
type PackageFiles = Record<string, string>;

const leftOut = ['dist/third-party-licenses.txt', 'README.md', 'CHANGELOG.md'];

/** Where the package of a release is kept. */
export function archiveOf(version: string): string {
  return join(releasesFolder, `${version}.package.br`);
}

/** The released versions of which the whole package is kept, oldest first. */
export function keptReleases(): string[] {
  const names = readdirSync(releasesFolder).flatMap(
    (name) => /^(.*)\.package\.br$/.exec(name)?.[1] ?? [],
  );
  return names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** The package as npm would publish it now, in one file: the same package gives the same bytes. */
export function packedPackage(): Buffer {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const output = execFileSync('npm', args, { cwd: repositoryFolder, encoding: 'utf8' });
  const [{ files }] = JSON.parse(output) as [{ files: { path: string }[] }];
  const paths = files.map(({ path }) => path).filter((path) => !leftOut.includes(path));
  const texts: PackageFiles = Object.fromEntries(
    paths.sort().map((path) => [path, readFileSync(join(repositoryFolder, path), 'utf8')]),
  );
  const content = Buffer.from(JSON.stringify(texts));
  return brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
}

/** Unpacks the package of a release. @returns the path of its command */
export function unpackRelease(version: string, folder: string): string {
  const content = brotliDecompressSync(readFileSync(archiveOf(version)));
  const files = JSON.parse(content.toString()) as PackageFiles;
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const command = join(folder, 'bin/create-auth-service.js');
  chmodSync(command, 0o755);
  return command;
}
