import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { generatorVersion, templatesFolder } from '../src/package-root.js';
import { currentRelease, releasesFolder } from './release/recorded-files.js';

/** Records what this version promises; from then on a test holds later ones to it. Run once for each release. */
const release = await currentRelease(readCatalog(templatesFolder));
const path = join(releasesFolder, `${generatorVersion()}.json`);
mkdirSync(releasesFolder, { recursive: true });
writeFileSync(path, `${JSON.stringify(release, null, 2)}\n`);
console.log(`${release.ids.length} files recorded in ${path}`);
