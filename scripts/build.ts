import { writeFileSync } from 'node:fs';
import { emptyDirSync } from 'fs-extra/esm';
import { bundle } from './build/bundle.js';
import { packTemplates } from './build/pack-templates.js';
import { thirdPartyLicenses } from './third-party-licenses.js';

// Makes `dist/`: the generator with everything it needs, without dependencies, and all templates in one file. The
// latter is compressed as much as possible when npm runs this to pack or publish.

const isPublished = ['pack', 'publish'].includes(process.env.npm_command ?? '');
emptyDirSync('dist');
const inputs = await bundle('dist');
packTemplates('.', isPublished ? 11 : 9);
writeFileSync('dist/third-party-licenses.txt', thirdPartyLicenses(inputs));
