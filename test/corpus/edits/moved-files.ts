import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { packageFolder } from '../../support/cli.js';
import type { TeamEdit } from '../team-edit.js';

const biome = join(packageFolder, 'node_modules/.bin/biome');

/** What a team moves, deletes and lays out anew. */
export const movedFiles: TeamEdit[] = [
  {
    team: 'renames a file',
    template: 'changes it',
    apply({ move, replace }) {
      move('src/features/device-notice/mail.ts', 'src/features/device-notice/notice.ts');
      replace('src/features/device-notice/subscriber.ts', './mail.js', './notice.js');
    },
    outcomes: { 'src/features/device-notice/notice.ts': 'updated' },
    has: { 'src/features/device-notice/notice.ts': ['at once and tell us.'] },
    lacks: ['src/features/device-notice/mail.ts'],
  },
  {
    team: 'renames a file and changes it',
    template: 'changes it',
    apply({ move, replace }) {
      move('src/features/magic-link/mail.ts', 'src/features/magic-link/sign-in-mail.ts');
      replace('src/features/magic-link/sign-in-mail.ts', 'Your link to sign in', 'Sign in to Acme');
      replace('src/features/magic-link/login-link.ts', './mail.js', './sign-in-mail.js');
    },
    outcomes: { 'src/features/magic-link/sign-in-mail.ts': 'merged' },
    has: {
      'src/features/magic-link/sign-in-mail.ts': ['Sign in to Acme', 'never pass the link on'],
    },
    lacks: ['src/features/magic-link/mail.ts'],
  },
  {
    team: 'moves a folder',
    template: 'adds a file to it',
    apply({ move, replace }) {
      move('src/health/index.ts', 'src/probes/index.ts');
      move('src/health/health.test.ts', 'src/probes/health.test.ts');
      replace('src/mounts.ts', "import { healthRoutes } from './health/index.js';\n", '');
      replace(
        'src/mounts.ts',
        "from './http/mount-point.js';\n",
        "from './http/mount-point.js';\nimport { healthRoutes } from './probes/index.js';\n",
      );
    },
    outcomes: { 'src/probes/started-at.ts': 'added' },
    lacks: ['src/health/started-at.ts', 'src/health/index.ts'],
  },
  {
    team: 'deletes the test of a feature',
    template: 'changes it',
    apply: ({ remove }) => remove('src/features/password/login.test.ts'),
    outcomes: { 'src/features/password/login.test.ts': 'deleted' },
    lacks: ['src/features/password/login.test.ts'],
  },
  {
    team: 'deletes a page',
    template: '—',
    apply: ({ remove }) => remove('docs/decisions/0003-own-cors-and-cookies.md'),
    outcomes: { 'docs/decisions/0003-own-cors-and-cookies.md': 'unchanged' },
    lacks: ['docs/decisions/0003-own-cors-and-cookies.md'],
  },
  {
    team: 'formats everything its own way, and raises a limit',
    template: 'lowers another one, and changes some files',
    apply({ root, replace, paths, touched }) {
      replace('biome.json', '"indentStyle": "space"', '"indentStyle": "tab"');
      replace('biome.json', '"quoteStyle": "single"', '"quoteStyle": "double"');
      replace('biome.json', '"semicolons": "always"', '"semicolons": "asNeeded"');
      execFileSync(biome, ['format', '--write', '.'], { cwd: root, stdio: 'ignore' });
      replace(
        'src/features/password/limits.ts',
        'loginOfAddress: { points: 10,',
        'loginOfAddress: { points: 20,',
      );
      for (const path of paths()) touched.add(path);
    },
    outcomes: {
      'src/features/password/limits.ts': 'merged',
      'src/users/index.ts': 'updated',
      'src/clock.ts': 'unchanged',
      'src/features.ts': 'updated',
      'package.json': 'merged',
    },
    has: {
      'src/clock.ts': ['return Date.now()\n'],
      'src/features/password/limits.ts': ['points: 20,', 'loginOfAccount: { points: 4,'],
      'package.json': ['\t\t"nodemailer": "^10.7.0"'],
    },
    isSweeping: true,
  },
  {
    team: 'checks everything out with the line ends of Windows',
    template: 'changes some files',
    apply({ paths, read, write }) {
      for (const path of paths()) write(path, read(path).replaceAll('\n', '\r\n'));
    },
    outcomes: {
      'src/users/index.ts': 'updated',
      'package.json': 'updated',
      'src/clock.ts': 'unchanged',
    },
    has: { 'src/users/index.ts': ["summary: 'Change the own names',\r\n"] },
    isSweeping: true,
    changesNoCode: true,
  },
];
