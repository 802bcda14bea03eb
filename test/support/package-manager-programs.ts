import { join } from 'node:path';
import { installInto, repositoryFolder } from '../../scripts/matrix/child.js';
import type { PackageManagerName } from '../../src/answers/package-managers.js';

/** A release of a package manager, from the registry. */
interface Program {
  title: string;
  name: PackageManagerName;
  /** The package that contains it, without what an install script would download. */
  wanted: string;
  /** Below `node_modules`: the folder with the program. */
  folder: string;
}

const bun = `@oven/bun-${process.platform}-${process.arch}`;

export const programs: Program[] = [
  { title: 'npm', name: 'npm', wanted: 'npm@11', folder: '.bin' },
  { title: 'pnpm', name: 'pnpm', wanted: 'pnpm@10', folder: '.bin' },
  { title: 'Yarn 1', name: 'yarn', wanted: 'yarn@1', folder: '.bin' },
  { title: 'Yarn 4', name: 'yarn', wanted: '@yarnpkg/cli-dist@4', folder: '.bin' },
  { title: 'Bun', name: 'bun', wanted: `${bun}@1`, folder: `${bun}/bin` },
];

const arriving = new Map<string, Promise<string>>();

/** The folder of the program, installed from the registry if missing. @throws Error with what npm printed */
export function folderWith(program: Program): Promise<string> {
  // Tests run in parallel: one could take another's half-finished installation for the program.
  const found = arriving.get(program.wanted) ?? installed(program);
  arriving.set(program.wanted, found);
  return found;
}

async function installed({ wanted, folder }: Program): Promise<string> {
  const prefix = join(
    repositoryFolder,
    '.cache/package-managers',
    wanted.replaceAll(/[@/]+/g, '-'),
  );
  await installInto(prefix, wanted);
  return join(prefix, 'node_modules', folder);
}
