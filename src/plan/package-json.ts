import type { PackageFragment } from '../catalog/layer.js';
import type { Fragments } from '../catalog/read-sources.js';

/** The Node.js versions that the emitted services are tested on. */
const nodeRange = '>=20.19';

/** The emitted package.json as data. */
export type PackageJson = ReturnType<typeof mergePackageJson>;

/**
 * Merges the layers' fragments: scripts in the order of the layers, dependencies by name. A package that one layer
 * needs at run time and another only for development becomes a run-time dependency.
 * @throws Error if two layers disagree about a version or a script
 */
export function mergePackageJson(name: string, fragments: Fragments[]) {
  // Checked where the layer was read.
  const parts = fragments.map(({ packageJson }): PackageFragment => JSON.parse(packageJson));
  const dependencies = agreed(parts.map((part) => part.dependencies));
  const devDependencies = agreed(parts.map((part) => part.devDependencies));
  agreed([dependencies, devDependencies]);
  const overrides = agreed(parts.map((part) => part.overrides));
  const isOverriding = Object.keys(overrides).length > 0;
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: nodeRange },
    scripts: agreed(parts.map((part) => part.scripts)),
    dependencies: sorted(Object.entries(dependencies)),
    devDependencies: sorted(Object.entries(devDependencies).filter(([key]) => !dependencies[key])),
    // npm and Bun read the first, Yarn and pnpm the second.
    ...(isOverriding && { overrides, resolutions: overrides }),
  };
}

function agreed(records: (Record<string, string> | undefined)[]): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const [key, value] of records.flatMap((record) => Object.entries(record ?? {}))) {
    const before = merged[key];
    if (before !== undefined && before !== value) {
      throw new Error(`two layers disagree about ${key}: ${before} and ${value}`);
    }
    merged[key] = value;
  }
  return merged;
}

function sorted(entries: [string, string][]): Record<string, string> {
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
