import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { generatorVersion, templatesFolder } from '../src/package-root.js';
import { archiveOf, packedPackage } from './release/package-archive.js';
import { currentRelease, releasesFolder } from './release/recorded-files.js';

/**
 * Records what this version promises, and the package itself, so that later ones are held to the promise and tested on
 * projects that this one really made. Run once for each release, on its commit, after `npm run build`.
 */
const version = generatorVersion();
const release = await currentRelease(readCatalog(templatesFolder));
mkdirSync(releasesFolder, { recursive: true });
writeFileSync(join(releasesFolder, `${version}.json`), `${JSON.stringify(release, null, 2)}\n`);
const archive = packedPackage();
writeFileSync(archiveOf(version), archive);
console.log(`${version}: ${release.ids.length} files, the package in ${archive.length} bytes`);
