import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Project } from '../project/open-project.js';
import type { Examined, PackageJson } from './examine.js';

/** What package.json asks for and is not installed, by name. Where Plug’n’Play resolves packages nothing is missing. */
export function missingPackages({ project, packageJson }: Examined): string[] {
  if (resolvesByPlugAndPlay(project)) return [];
  return neededPackages(packageJson).filter((name) => !isInstalled(project.root, name));
}

export function neededPackages({ dependencies, devDependencies }: PackageJson): string[] {
  return Object.keys({ ...dependencies, ...devDependencies });
}

export function resolvesByPlugAndPlay({ root }: Pick<Project, 'root'>): boolean {
  return existsSync(join(root, '.pnp.cjs'));
}

/** As Node looks for it: here and in every folder above. */
function isInstalled(folder: string, name: string): boolean {
  if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return true;
  return folder !== dirname(folder) && isInstalled(dirname(folder), name);
}
