import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Catalog } from '../../src/catalog/catalog.js';
import { planFromTemplates } from '../../src/plan/plan-from-templates.js';
import { repositoryFolder } from '../matrix/child.js';
import { pairwiseCombinations } from '../matrix/pairwise-combinations.js';

/** Where the releases are recorded, one file each. */
export const releasesFolder = join(repositoryFolder, 'test/fixtures/released');

/** What a release promised: the ids of its files, and the content of those that never change. */
export interface Release {
  /** Sorted; the first path that each file ever had. */
  ids: string[];
  /** Path → sha256. */
  frozen: Record<string, string>;
}

/** What a release of the templates as they are now would promise, over all layers and pairs of them: no file depends on more. */
export async function currentRelease(catalog: Catalog): Promise<Release> {
  const plans = await Promise.all(
    pairwiseCombinations(catalog).map((answers) => planFromTemplates(catalog, answers)),
  );
  const files = plans.flatMap((plan) => plan.files);
  const frozen = files
    .filter(({ owner }) => owner === 'frozen')
    .map(({ path, content }) => {
      return [path, createHash('sha256').update(content).digest('hex')] as const;
    });
  return {
    ids: [...new Set(files.map(({ id }) => id))].sort(),
    frozen: Object.fromEntries(frozen.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/**
 * Where the templates break what a release promised: an upgrade could not tell what became of the file.
 * @param removed paths that the layers declare as gone
 */
export function brokenPromises(release: Release, now: Release, removed: string[]): string[] {
  const lost = release.ids.filter((id) => !now.ids.includes(id) && !removed.includes(id));
  const changed = Object.entries(release.frozen).filter(
    ([path, hash]) => now.frozen[path] !== undefined && now.frozen[path] !== hash,
  );
  return [
    ...lost.map((id) => `${id} is gone: say so in "renamed" or "removed" of its layer.json`),
    ...changed.map(([path]) => `${path} is frozen: a change comes as a new migration`),
  ];
}
