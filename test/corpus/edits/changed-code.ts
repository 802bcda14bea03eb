import type { TeamEdit } from '../team-edit.js';

/** What a team changes in code that it was given. */
export const changedCode: TeamEdit[] = [
  {
    team: 'changes the subject of a mail',
    template: 'changes a sentence of the same mail',
    apply: ({ replace }) =>
      replace('src/features/magic-link/mail.ts', 'Your link to sign in', 'Sign in to Acme'),
    outcomes: { 'src/features/magic-link/mail.ts': 'merged' },
    has: { 'src/features/magic-link/mail.ts': ['Sign in to Acme', 'never pass the link on'] },
  },
  {
    team: 'changes a sentence of a mail',
    template: 'changes the same sentence',
    apply: ({ replace }) =>
      replace(
        'src/features/email-change/mail.ts',
        'asked to move their account',
        'wants to move their account',
      ),
    outcomes: { 'src/features/email-change/mail.ts': 'conflict' },
    has: {
      'src/features/email-change/mail.ts': [
        "<<<<<<< yours\n      'Somebody wants to move their account",
        "=======\n      'Somebody asked to move an account",
      ],
    },
  },
  {
    team: 'makes the very change that the template makes',
    template: 'makes it too',
    apply: ({ replace }) =>
      replace(
        'src/features/device-notice/mail.ts',
        'at once, and ask for help.',
        'at once and tell us.',
      ),
    outcomes: { 'src/features/device-notice/mail.ts': 'unchanged' },
  },
  {
    team: 'raises a limit',
    template: 'lowers another one in the same table',
    apply: ({ replace }) =>
      replace(
        'src/features/password/limits.ts',
        'loginOfAddress: { points: 10,',
        'loginOfAddress: { points: 20,',
      ),
    outcomes: { 'src/features/password/limits.ts': 'merged' },
    has: { 'src/features/password/limits.ts': ['points: 20,', 'loginOfAccount: { points: 4,'] },
  },
  {
    team: 'raises a limit',
    template: 'lowers the same limit',
    apply: ({ replace }) =>
      replace('src/features/registration/limits.ts', 'points: 20,', 'points: 50,'),
    outcomes: { 'src/features/registration/limits.ts': 'conflict' },
    has: { 'src/features/registration/limits.ts': ['points: 50,', 'points: 15,'] },
  },
  {
    team: 'imports something',
    template: 'imports something else under the same name, elsewhere',
    apply({ replace }) {
      replace(
        'src/mail/smtp.ts',
        "import type { Mailer } from './mailer.js';\n",
        "import type { Mailer } from './mailer.js';\nimport { wait } from './wait.js';\n",
      );
      replace('src/mail/smtp.ts', '  const isLoopback =', '  await wait();\n  const isLoopback =');
    },
    outcomes: { 'src/mail/smtp.ts': 'conflict' },
    has: { 'src/mail/smtp.ts': ['=======', 'setTimeout as wait', "'./wait.js'"] },
    decides: 'theirs',
  },
  {
    team: 'puts a license above every file of a folder',
    template: 'changes some of them',
    apply({ paths, read, write }) {
      // The first line of this one has changed since, which right below a license is a conflict.
      const others = paths().filter((path) => path !== 'src/users/account-query.ts');
      for (const path of others.filter((each) => each.startsWith('src/users/'))) {
        write(path, `// Copyright Acme. All rights reserved.\n\n${read(path)}`);
      }
    },
    outcomes: {
      'src/users/index.ts': 'merged',
      'src/users/table.ts': 'merged',
      'src/users/email.ts': 'unchanged',
    },
    has: { 'src/users/index.ts': ['// Copyright', 'Change the own names'] },
  },
  {
    team: 'changes where mails of development lie',
    template: 'moves the file',
    apply: ({ replace }) =>
      replace('src/mail/outbox.ts', "join('data', 'outbox')", "join('data', 'mails')"),
    outcomes: { 'src/mail/write-to-outbox.ts': 'moved', 'src/mail/mailer.ts': 'updated' },
    has: { 'src/mail/write-to-outbox.ts': ["join('data', 'mails')"] },
    lacks: ['src/mail/outbox.ts'],
  },
  {
    team: 'extends a test',
    template: 'drops it',
    apply: ({ append }) =>
      append(
        'src/log.test.ts',
        "\nit('is there', () => expect(createLog).toBeTypeOf('function'));\n",
      ),
    outcomes: { 'src/log.test.ts': 'kept', 'src/db/values.test.ts': 'removed' },
    has: { 'src/log.test.ts': ["it('is there'"] },
    lacks: ['src/db/values.test.ts'],
  },
  {
    team: 'makes tokens longer',
    template: '—',
    apply: ({ replace }) => replace('src/random.ts', 'TOKEN_BYTES = 32', 'TOKEN_BYTES = 48'),
    outcomes: { 'src/random.ts': 'unchanged' },
    has: { 'src/random.ts': ['TOKEN_BYTES = 48'] },
  },
];
