import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { bundle } from './build/bundle.js';
import { packTemplates } from './build/pack-templates.js';
import { thirdPartyLicenses } from './third-party-licenses.js';

// Makes `dist/`: the generator with everything it needs, without dependencies, and all templates in one file. The
// latter is compressed as much as possible when npm runs this to pack or publish.

const isPublished = ['pack', 'publish'].includes(process.env.npm_command ?? '');
mkdirSync('dist', { recursive: true });
const { names, inputs } = await bundle('dist');
const made = [...names, packTemplates('.', isPublished ? 11 : 9)];

const stale = readdirSync('dist').filter((name) => !made.includes(name));
for (const name of stale) rmSync(`dist/${name}`);

writeFileSync('dist/third-party-licenses.txt', thirdPartyLicenses(inputs));
