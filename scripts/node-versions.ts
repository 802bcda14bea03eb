import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installInto, repositoryFolder } from './matrix/child.js';

/** The versions that the generator and its services are tested on. */
export const nodeMajors = [20, 22, 24, 26];

/** The package that the npm package `node` installs for this machine: the program itself, without scripts. */
const packageName = `${prefix()}-${platform()}-${process.arch}`;

/** Where the binary of a major version is, or will be. */
export function nodeProgram(major: number): string {
  const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  return join(folderOf(major), 'node_modules', packageName, program);
}

export function hasNode(major: number): boolean {
  return existsSync(nodeProgram(major));
}

/** Installs a release of a major version from the registry. @throws Error with what npm printed */
export async function installNode(major: number): Promise<void> {
  await installInto(folderOf(major), `${packageName}@${major}`);
}

function folderOf(major: number): string {
  return join(repositoryFolder, '.cache/node', String(major));
}

function platform(): string {
  return process.platform === 'win32' ? 'win' : process.platform;
}

function prefix(): string {
  return process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
}
