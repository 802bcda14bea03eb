import type { TeamEdit } from '../team-edit.js';

/** Edits of emitted code. */
export const changedCode: TeamEdit[] = [
  {
    team: 'changes the subject of a mail',
    template: 'changes a sentence of the same mail',
    upstream: [
      {
        path: 'features/magic-link/files/src/features/magic-link/link.ts',
        from: 'ignore this email and do not share the link.',
        to: 'ignore this email, and never pass the link on.',
      },
    ],
    apply: ({ replace }) =>
      replace('src/features/magic-link/link.ts', 'Your sign-in link', 'Sign in to Acme'),
    outcomes: { 'src/features/magic-link/link.ts': 'merged' },
    has: { 'src/features/magic-link/link.ts': ['Sign in to Acme', 'never pass the link on'] },
  },
  {
    team: 'changes a sentence of a mail',
    template: 'changes the same sentence',
    upstream: [
      {
        path: 'features/email-change/files/src/features/email-change/mails.ts',
        from: 'Someone asked to change the email address of their account to this one.',
        to: 'Someone asked to change the email address of an account to this one.',
      },
    ],
    apply: ({ replace }) =>
      replace(
        'src/features/email-change/mails.ts',
        'asked to change the email address of their account',
        'wants to change the email address of their account',
      ),
    outcomes: { 'src/features/email-change/mails.ts': 'conflict' },
    has: {
      'src/features/email-change/mails.ts': [
        "<<<<<<< yours\n      en: 'Someone wants to change the email address of their account",
        "=======\n      en: 'Someone asked to change the email address of an account",
      ],
    },
  },
  {
    team: 'makes the same change as the template',
    template: 'makes it too',
    upstream: [
      {
        path: 'features/password/files/src/features/password/mails.ts',
        from: 'If this was not you, reset it immediately.',
        to: 'If this was not you, reset it now.',
      },
    ],
    apply: ({ replace }) =>
      replace('src/features/password/mails.ts', 'reset it immediately.', 'reset it now.'),
    outcomes: { 'src/features/password/mails.ts': 'unchanged' },
  },
  {
    team: 'raises a limit',
    template: 'lowers another one in the same table',
    upstream: [
      {
        path: 'features/password/files/src/features/password/feature.ts',
        from: 'loginOfAccount: { points: 5,',
        to: 'loginOfAccount: { points: 4,',
      },
    ],
    apply: ({ replace }) =>
      replace(
        'src/features/password/feature.ts',
        'loginPerIp: { points: 10,',
        'loginPerIp: { points: 20,',
      ),
    outcomes: { 'src/features/password/feature.ts': 'merged' },
    has: { 'src/features/password/feature.ts': ['points: 20,', 'loginOfAccount: { points: 4,'] },
  },
  {
    team: 'raises a limit',
    template: 'lowers the same limit',
    upstream: [
      {
        path: 'features/registration/files/src/features/registration/feature.ts',
        from: 'points: 20,',
        to: 'points: 15,',
      },
    ],
    apply: ({ replace }) =>
      replace('src/features/registration/feature.ts', 'points: 20,', 'points: 50,'),
    outcomes: { 'src/features/registration/feature.ts': 'conflict' },
    has: { 'src/features/registration/feature.ts': ['points: 50,', 'points: 15,'] },
  },
  {
    team: 'imports something',
    template: 'imports something else under the same name, elsewhere',
    upstream: [
      {
        path: 'base/files/src/mail/mailer.ts',
        from: "import { join } from 'node:path';\n",
        to: "import { join } from 'node:path';\nimport { setTimeout as wait } from 'node:timers/promises';\n",
      },
      {
        path: 'base/files/src/mail/mailer.ts',
        from: '      await (await transport).sendMail(envelope(config, mail));\n',
        to: '      const opened = await transport;\n      await wait(0);\n      await opened.sendMail(envelope(config, mail));\n',
      },
    ],
    apply({ replace }) {
      replace(
        'src/mail/mailer.ts',
        "import { randomId } from '../process/random.js';\n",
        "import { randomId } from '../process/random.js';\nimport { wait } from './wait.js';\n",
      );
      replace(
        'src/mail/mailer.ts',
        '  return config.SMTP_URL',
        '  wait();\n  return config.SMTP_URL',
      );
    },
    outcomes: { 'src/mail/mailer.ts': 'conflict' },
    has: { 'src/mail/mailer.ts': ['=======', 'setTimeout as wait', "'./wait.js'"] },
    decides: 'theirs',
  },
  {
    team: 'adds a license header to every file of a folder',
    template: 'changes some of them',
    upstream: [
      {
        path: 'base/files/src/users/user.ts',
        from: '/** In normal form (trimmed, NFKC, lower case); unique. */',
        to: '/** Unique, in normal form: trimmed, NFKC, lower case. */',
      },
    ],
    apply({ paths, read, write }) {
      for (const path of paths().filter((each) => each.startsWith('src/users/'))) {
        write(path, `// Copyright Acme. All rights reserved.\n\n${read(path)}`);
      }
    },
    outcomes: {
      'src/users/feature.ts': 'merged',
      'src/users/user.ts': 'merged',
      'src/users/one-time-tokens.ts': 'unchanged',
    },
    has: { 'src/users/feature.ts': ['// Copyright', 'Change your names'] },
  },
  {
    team: 'changes a text of a file',
    template: 'moves the file',
    upstream: [
      {
        path: 'base/files/src/http/openapi.ts',
        movedTo: 'base/files/src/http/openapi-document.ts',
      },
      {
        path: 'base/files/src/services.ts',
        from: "from './http/openapi.js';\n",
        to: "from './http/openapi-document.js';\n",
      },
      ...['api-types.ts', 'auth-client.test.ts', 'write-api.ts'].map((file) => ({
        path: `base/files/client/${file}`,
        from: "from '../src/http/openapi.js';\n",
        to: "from '../src/http/openapi-document.js';\n",
      })),
    ],
    apply: ({ replace }) =>
      replace('src/http/openapi.ts', 'title: config.SERVICE_NAME', "title: 'Acme'"),
    outcomes: { 'src/http/openapi-document.ts': 'moved', 'src/services.ts': 'updated' },
    has: { 'src/http/openapi-document.ts': ["title: 'Acme'"] },
    lacks: ['src/http/openapi.ts'],
  },
  {
    team: 'extends a test',
    template: 'drops it',
    upstream: [
      { path: 'base/files/src/process/config.test.ts', removed: true },
      { path: 'base/files/src/events/bus.test.ts', removed: true },
    ],
    apply: ({ append }) =>
      append(
        'src/process/config.test.ts',
        "\nit('is there', () => expect(createLog).toBeTypeOf('function'));\n",
      ),
    outcomes: { 'src/process/config.test.ts': 'kept', 'src/events/bus.test.ts': 'removed' },
    has: { 'src/process/config.test.ts': ["it('is there'"] },
    lacks: ['src/events/bus.test.ts'],
  },
  {
    team: 'leaves a failed store alone for longer',
    template: '—',
    apply: ({ replace }) =>
      replace('src/db/rate-limits.ts', 'PAUSE_MS = 5_000', 'PAUSE_MS = 30_000'),
    outcomes: { 'src/db/rate-limits.ts': 'unchanged' },
    has: { 'src/db/rate-limits.ts': ['PAUSE_MS = 30_000'] },
  },
];
