import { madeProject } from './made-project.js';
import { layer, templatesWithTongues } from './small-package.js';

export const users =
  "export async function up() { await db.schema.createTable('words').execute(); }\n";
const rhymes =
  "export async function up() { await db.schema\n    .createTable('rhymes').execute(); }\n";

/** `word` has choices, tables and a secret; `guests` needs it; `ring` brings the internal `bell`. */
export const templates = {
  ...templatesWithTongues,
  'features/word/files/migrations/20260101_words.ts': users,
  'features/word/files/migrations/20260102_word_rhymes.ts': rhymes,
  'features/word/env.example': '# Signs words.\n# secret: hex32\nWORD_SECRET=\n',
  'features/bell/files/src/bell.ts': 'export const bell = 1;\n',
  ...layer('features/house-rules', { title: 'House rules', group: 'feature', order: 2 }),
};

export const onlyRing = ['--methods', 'ring', '--features', 'none'];
export const small = () => madeProject(templates, onlyRing);
