import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packTemplates } from '../../scripts/build/pack-templates.js';
import { repositoryFolder } from '../../scripts/matrix/child.js';
import { type Files, writeFiles } from './files.js';
import { once, sharedFolder } from './shared-folder.js';

/**
 * The published package with a test's own templates: bin and bundle are the real ones.
 * @param version instead of the real one
 * @returns the path of its command
 */
export function packageWith(folder: string, templates: Files, version?: string): string {
  for (const path of ['bin', 'dist', 'package.json']) {
    cpSync(join(repositoryFolder, path), join(folder, path), { recursive: true });
  }
  if (version !== undefined) {
    const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    writeFiles(folder, { 'package.json': JSON.stringify({ ...about, version }) });
  }
  const below = Object.entries(templates).map(([path, text]) => [`templates/${path}`, text]);
  writeFiles(folder, Object.fromEntries(below));
  packTemplates(folder);
  return join(folder, 'bin/create-auth-service.js');
}

/** The same, created once for all tests of a file: none may change it. */
export function sharedPackage(templates: Files, version?: string): string {
  return packageOf(JSON.stringify({ templates, version }));
}

const packageOf = once((key) => {
  const { templates, version } = JSON.parse(key) as { templates: Files; version?: string };
  return packageWith(sharedFolder(), templates, version);
});

/** A layer's two data files. */
export function layer(path: string, about: object, packages: object = {}): Files {
  const name = `@templates/${path.split('/').at(-1)}`;
  const workspace = { name, private: true, version: '0.0.0', type: 'module', ...packages };
  return {
    [`${path}/layer.json`]: JSON.stringify(about),
    [`${path}/package.json`]: JSON.stringify(workspace),
  };
}

const word = { title: 'Word', hint: 'a secret word', group: 'method', default: true, order: 1 };
const ring = { title: 'Ring', group: 'method', default: true, order: 3 };
const guests = { title: 'Guests', group: 'feature', default: true, order: 1 };

/** Two frameworks, two databases, three methods, two features, one internal layer: every kind of question. */
export const smallTemplates: Files = {
  ...layer('base', {
    title: 'Base',
    group: 'base',
    nextSteps: ['{run} dev'],
    urls: { start: 'http://localhost:3000' },
    yours: ['src/app.ts'],
  }),
  'base/files/_gitignore': '.env\nnode_modules\n',
  'base/files/src/app.ts': 'export const app = 1;\n',
  'base/files/src/list.ts.ejs':
    "export const features = [<% for (const f of layers) { %>'<%= f.camel %>',<% } %>];\n",
  'base/env.example':
    '# Where it listens.\nPORT=3000\n\n# Signs tokens.\n# secret: hex32\nSECRET=\n',
  ...layer('databases/lake', { title: 'Lake', group: 'database', default: true, order: 1 }),
  ...layer('databases/river', { title: 'River', group: 'database', order: 2 }),
  ...layer('frameworks/plain', { title: 'Plain', group: 'framework', default: true, order: 1 }),
  ...layer('frameworks/rich', { title: 'Rich', group: 'framework', order: 2 }),
  ...layer('features/word', word),
  ...layer('features/knock', {
    title: 'Knock',
    group: 'method',
    default: true,
    order: 2,
    conflicts: ['river'],
  }),
  ...layer('features/ring', { ...ring, requires: ['bell'] }),
  ...layer('features/bell', { title: 'Bell', group: 'internal' }),
  ...layer('features/guests', { ...guests, requires: ['word'] }),
  ...layer('features/house-rules', {
    title: 'House rules',
    group: 'feature',
    default: true,
    order: 2,
  }),
};

/** The same, but `word` has a secret of its own. */
export const templatesWithTwoSecrets: Files = {
  ...smallTemplates,
  'features/word/env.example': '# Signs words.\n# secret: hex32\nWORD_SECRET=\n',
};

/** The same, but `word` asks a question of its own: in which language. */
export const templatesWithTongues: Files = {
  ...smallTemplates,
  ...layer('features/word', {
    ...word,
    choices: { key: 'wordTongues', title: 'Tongues', ask: 'In which tongues?' },
  }),
  'features/word/files/src/tongues.ts.ejs':
    "export const tongues = [<% for (const each of choices('word')) { %>'<%= each.name %>',<% } %>];\n",
  ...tongue('latin', { title: 'Latin', order: 1 }),
  'features/word/choices/latin/env.example': '# Latin.\nLATIN=\n',
  ...tongue('greek', { title: 'Greek', order: 2 }),
};

function tongue(name: string, about: { title: string; order: number }): Files {
  const path = `features/word/choices/${name}`;
  return {
    ...layer(path, { group: 'choice', default: true, ...about }),
    [`${path}/files/src/${name}.ts`]: `export const ${name} = 1;\n`,
  };
}

/** The same, but `ring` alone gives nothing, and `guests` needs a word or a knock. */
export const templatesWithDoors: Files = {
  ...smallTemplates,
  ...layer('features/word', { ...word, gives: ['entry', 'entry-of-guests'] }),
  ...layer('features/knock', { title: 'Knock', group: 'method', order: 2, gives: ['entry'] }),
  ...layer('features/ring', { ...ring, needs: { entry: 'a ring opens no door' } }),
  ...layer('features/guests', { ...guests, needs: { 'entry-of-guests': 'no guest could enter' } }),
};
