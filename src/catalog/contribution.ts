import { mergeEnvExamples } from '../plan/env-example.js';
import { type Catalog, layerNamed, neededBy } from './catalog.js';
import type { PackageFragment } from './layer.js';
import { readFragments, readSources } from './read-sources.js';

/** What a layer adds to a project by itself, with the internal layers that come along. */
export function contributionOf(catalog: Catalog, name: string) {
  const layer = layerNamed(catalog, name);
  const along = neededBy(catalog, layer).filter(({ group }) => group === 'internal');
  const layers = [...new Set([layer, ...along])];
  const fragments = readFragments(layers);
  const packages = fragments.flatMap(({ packageJson }) => {
    const { dependencies = {} }: PackageFragment = JSON.parse(packageJson);
    return Object.keys(dependencies);
  });
  return {
    /** How many; those that other layers bring for it are not counted. */
    files: readSources(layers).filter(({ isOverlay }) => !isOverlay).length,
    packages: [...new Set(packages)].sort(),
    variables: mergeEnvExamples(fragments).variables.map((variable) => variable.name),
  };
}

/** For people: `12 files; packages bcrypt, p-limit; variables BCRYPT_COST`. */
export function contributionText(given: ReturnType<typeof contributionOf>): string {
  const { files, packages, variables } = given;
  const named = (what: string, names: string[]) =>
    names.length === 0 ? [] : [`${what}${names.length > 1 ? 's' : ''} ${names.join(', ')}`];
  return [
    ...(files === 0 ? [] : [`${files} ${files === 1 ? 'file' : 'files'}`]),
    ...named('package', packages),
    ...named('variable', variables),
  ].join('; ');
}
