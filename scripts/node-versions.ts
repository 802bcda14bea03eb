import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installInto, repositoryFolder } from './matrix/child.js';

/** The versions that the generator and its services are tested on. */
export const nodeMajors = [20, 22, 24, 26];

/** A release without flags of the sandbox that later ones of its major version have. */
export const earlyRelease = '22.4.0';

type Version = number | string;

/** The package that the npm package `node` installs for this machine: the program itself, without scripts. */
const packageName = `${prefix()}-${platform()}-${process.arch}`;

/** Where the binary of a version is, or will be. */
export function nodeProgram(version: Version): string {
  const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  return join(folderOf(version), 'node_modules', packageName, program);
}

export function hasNode(version: Version): boolean {
  return existsSync(nodeProgram(version));
}

/** Installs a version, of a major one the newest, from the registry. @throws Error with what npm printed */
export async function installNode(version: Version): Promise<void> {
  await installInto(folderOf(version), `${packageName}@${version}`);
}

function folderOf(version: Version): string {
  return join(repositoryFolder, '.cache/node', String(version));
}

function platform(): string {
  return process.platform === 'win32' ? 'win' : process.platform;
}

function prefix(): string {
  return process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
}
