import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryFolder } from '../matrix/child.js';

/**
 * The folders of all packages that npm installs for these dependencies, found where this repository has them installed,
 * without the network. Optional ones count if they are here, which are those of this machine.
 * @throws Error if a package that is needed is not installed
 */
export function productionPackages(dependencies: string[]): Set<string> {
  const found = new Set<string>();
  for (const name of dependencies) collect(name, repositoryFolder, found);
  return found;
}

function collect(name: string, from: string, found: Set<string>): void {
  const folder = packageFolder(name, from);
  if (folder === undefined) throw new Error(`${name} is not installed: npm install comes first`);
  if (found.has(folder)) return;
  found.add(folder);
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const peers = Object.keys(peerDependencies).filter(
    (peer) => !peerDependenciesMeta[peer]?.optional,
  );
  const optional = Object.keys(optionalDependencies);
  const needed = [...Object.keys(dependencies), ...peers].filter((one) => !optional.includes(one));
  const here = optional.filter((one) => packageFolder(one, folder) !== undefined);
  for (const each of [...needed, ...here]) collect(each, folder, found);
}

/** Where Node finds a package from a folder. */
function packageFolder(name: string, from: string): string | undefined {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return realpathSync(folder);
  return dirname(from) === from ? undefined : packageFolder(name, dirname(from));
}
