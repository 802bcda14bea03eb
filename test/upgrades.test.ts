import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { upgradePaths } from '../scripts/upgrades/releases.js';
import {
  type Outcome,
  upgradesFolder,
  upgradeWithPeople,
} from '../scripts/upgrades/upgrade-path.js';
import { layersOf } from '../src/catalog/catalog.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';

const place = join(upgradesFolder, 'test');
const databases = layersOf(readCatalog(templatesFolder), 'database').map(({ name }) => name);
const paths = await upgradePaths(join(place, 'releases'));
const cases = paths.flatMap((path) =>
  databases.map((database) => ({ path, database, from: path.from.name, to: path.to.name })),
);

// All databases at once: each mostly waits for deliveries to be retried. But not all paths at once: a sign-in that
// waits two seconds for its hash gets a 503, and on a busy machine that would be the only thing tested.
const outcomes: PromiseSettledResult<Outcome>[] = [];
beforeAll(async () => {
  for (const each of paths) {
    const ofPath = cases.filter(({ path }) => path === each);
    const all = ofPath.map(({ path, database }) =>
      upgradeWithPeople(path, database, join(place, database)),
    );
    outcomes.push(...(await Promise.allSettled(all)));
  }
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

test.each(cases.map((each, at) => ({ ...each, at })))(
  'an upgrade from $from to $to on $database locks nobody out, ends no session, delivers nothing twice, and goes back',
  ({ at }) => {
    const outcome = outcomes[at];
    if (outcome?.status !== 'fulfilled') throw outcome?.reason;
    expect(outcome.value).toMatchObject({ upgrade: 'ok' });
    const steps = Object.entries(outcome.value);
    expect(Object.fromEntries(steps.filter(([, said]) => !said.startsWith('ok')))).toEqual({});
  },
);
