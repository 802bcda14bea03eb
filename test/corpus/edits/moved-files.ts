import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryFolder } from '../../../scripts/matrix/child.js';
import { type Files, readFiles, writeFiles } from '../../support/files.js';
import type { TeamEdit } from '../team-edit.js';

/** Edits that move, delete and reformat files. */
export const movedFiles: TeamEdit[] = [
  {
    team: 'renames a file',
    template: 'changes it',
    apply({ move, replace, read, paths }) {
      move('src/features/password/mails.ts', 'src/features/password/notices.ts');
      const near = paths().filter((path) => path.startsWith('src/features/password/'));
      for (const path of near.filter((each) => read(each).includes('./mails.js'))) {
        replace(path, './mails.js', './notices.js');
      }
    },
    outcomes: { 'src/features/password/notices.ts': 'updated' },
    has: { 'src/features/password/notices.ts': ['reset it now.'] },
    lacks: ['src/features/password/mails.ts'],
  },
  {
    team: 'renames a file and changes it',
    template: 'changes it',
    apply({ move, replace, read, paths }) {
      move('src/features/magic-link/link.ts', 'src/features/magic-link/mailed-link.ts');
      replace('src/features/magic-link/mailed-link.ts', 'Your sign-in link', 'Sign in to Acme');
      const near = paths().filter((path) => path.includes('magic-link'));
      for (const path of near.filter((each) => read(each).includes('/link.js'))) {
        replace(path, '/link.js', '/mailed-link.js');
      }
    },
    outcomes: { 'src/features/magic-link/mailed-link.ts': 'merged' },
    has: {
      'src/features/magic-link/mailed-link.ts': ['Sign in to Acme', 'never pass the link on'],
    },
    lacks: ['src/features/magic-link/link.ts'],
  },
  {
    team: 'moves a folder',
    template: 'adds a file to it',
    upstream: [
      {
        path: 'base/files/docs/decisions/0099-one-clock.md',
        added: '# 99. One clock\n\nAll time is read in one place.\n',
      },
    ],
    apply({ move, paths }) {
      for (const path of paths().filter((each) => each.startsWith('docs/decisions/'))) {
        move(path, path.replace('decisions', 'adr'));
      }
    },
    outcomes: { 'docs/adr/0099-one-clock.md': 'added' },
    lacks: ['docs/decisions/0099-one-clock.md', 'docs/decisions/0001-owned-code.md'],
  },
  {
    team: 'deletes the test of a feature',
    template: 'changes it',
    upstream: [
      {
        path: 'features/password/files/src/features/password/login.test.ts',
        from: "test('only after the right password is an account reported as disabled'",
        to: "test('only the right password learns of a disabled account'",
      },
    ],
    apply: ({ remove }) => remove('src/features/password/login.test.ts'),
    outcomes: { 'src/features/password/login.test.ts': 'deleted' },
    lacks: ['src/features/password/login.test.ts'],
  },
  {
    team: 'deletes a page',
    template: '—',
    apply: ({ remove }) => remove('docs/decisions/0003-refresh-token-from-the-row.md'),
    outcomes: { 'docs/decisions/0003-refresh-token-from-the-row.md': 'unchanged' },
    lacks: ['docs/decisions/0003-refresh-token-from-the-row.md'],
  },
  {
    team: 'formats everything its own way, and raises a limit',
    template: 'lowers another one, and changes some files',
    apply({ replace, paths, read, write }) {
      replace('biome.json', '"indentStyle": "space"', '"indentStyle": "tab"');
      replace('biome.json', '"quoteStyle": "single"', '"quoteStyle": "double"');
      replace('biome.json', '"semicolons": "always"', '"semicolons": "asNeeded"');
      for (const [path, text] of Object.entries(formatted(paths(), read))) write(path, text);
      replace(
        'src/features/password/feature.ts',
        'loginPerIp: { points: 10,',
        'loginPerIp: { points: 20,',
      );
    },
    outcomes: {
      'src/features/password/feature.ts': 'merged',
      'src/users/feature.ts': 'updated',
      'src/process/clock.ts': 'unchanged',
      'src/features.ts': 'updated',
      'package.json': 'merged',
    },
    has: {
      'src/process/clock.ts': ['return Date.now()\n'],
      'src/features/password/feature.ts': ['points: 20,', 'loginOfAccount: { points: 4,'],
      'package.json': ['\t\t"nodemailer": "^10.7.0"'],
    },
    isSweeping: true,
  },
  {
    team: 'checks everything out with Windows line ends',
    template: 'changes some files',
    apply({ paths, read, write }) {
      for (const path of paths()) write(path, read(path).replaceAll('\n', '\r\n'));
    },
    outcomes: {
      'src/users/feature.ts': 'updated',
      'package.json': 'updated',
      'src/process/clock.ts': 'unchanged',
    },
    has: {
      'src/users/feature.ts': ["summary: 'Change your names',\r\n"],
    },
    isSweeping: true,
    changesNoCode: true,
  },
];

/** The files as the project's own formatter formats them. */
function formatted(paths: string[], read: (path: string) => string): Files {
  const folder = mkdtempSync(join(tmpdir(), 'create-auth-service-formatted-'));
  writeFiles(folder, Object.fromEntries(paths.map((path) => [path, read(path)])));
  const biome = join(repositoryFolder, 'node_modules/.bin/biome');
  execFileSync(biome, ['format', '--write', '.'], { cwd: folder, stdio: 'ignore' });
  const files = readFiles(folder);
  rmSync(folder, { recursive: true });
  return files;
}
