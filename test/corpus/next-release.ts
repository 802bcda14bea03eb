import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packTemplates } from '../../scripts/build/pack-templates.js';
import { packageFolder } from '../support/cli.js';
import { writeFiles } from '../support/files.js';

/** The version that the release after this one has in the tests. */
export const nextVersion = '99.0.0';

/** What a later release changes in the templates, so that real merges and real conflicts occur. Paths are below `templates/`. */
type TemplateChange =
  | { path: string; from: string; to: string }
  | { path: string; added: string }
  | { path: string; movedTo: string }
  | { path: string; removed: true };

const base = 'base/files';

const changes: TemplateChange[] = [
  {
    path: 'frameworks/express/files/src/app.ts',
    from: "  app.disable('etag');\n",
    to: "  app.disable('etag');\n  app.set('query parser', 'simple');\n",
  },
  {
    path: 'frameworks/hono/files/src/app.ts',
    from: '/** The Hono app. ',
    to: '/** The Hono app that answers everything. ',
  },
  {
    path: 'frameworks/hono/files/src/http/mount.ts',
    from: '  const body = text ?? null;',
    to: '  const body = status === 204 ? null : (text ?? null);',
  },
  {
    path: 'frameworks/hono/files/src/listen.ts',
    from: '{ autoCleanupIncoming: false }',
    to: '{\n    autoCleanupIncoming: false,\n    overrideGlobalObjects: false,\n  }',
  },
  {
    path: 'frameworks/hono/files/src/http/require-user.ts',
    from: "    c.set('caller', await admitCaller(services, read(c.env.incoming), permission));",
    to: "    const { incoming } = c.env;\n    c.set('caller', await admitCaller(services, read(incoming), permission));",
  },
  {
    path: 'frameworks/fastify/files/src/app.ts',
    from: '/** The Fastify app. ',
    to: '/** The Fastify app that answers everything. ',
  },
  {
    path: 'frameworks/fastify/files/src/http/mount.ts',
    from: "  ['FST_ERR_CTP_INVALID_JSON_BODY', 'INVALID_JSON'],\n",
    to: "  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'INVALID_JSON'],\n  ['FST_ERR_CTP_INVALID_JSON_BODY', 'INVALID_JSON'],\n",
  },
  {
    path: 'frameworks/fastify/files/src/listen.ts',
    from: '    return503OnClosing: false,\n',
    to: '    return503OnClosing: false,\n    pluginTimeout: 20_000,\n',
  },
  {
    path: 'frameworks/fastify/files/src/http/require-user.ts',
    from: '    request.caller = await admitCaller(services, read(request.raw), permission);',
    to: '    const { raw } = request;\n    request.caller = await admitCaller(services, read(raw), permission);',
  },
  {
    path: 'features/registration/files/src/policy.ts',
    from: '/** The role that a new account gets. */',
    to: '/** The role that every new account gets. */',
  },
  {
    path: 'features/magic-link/files/src/features/magic-link/mail.ts',
    from: 'ignore this mail and give the link to nobody.',
    to: 'ignore this mail, and never pass the link on.',
  },
  {
    path: 'features/email-change/files/src/features/email-change/mail.ts',
    from: 'Somebody asked to move their account to this address.',
    to: 'Somebody asked to move an account to this address.',
  },
  {
    path: 'features/device-notice/files/src/features/device-notice/mail.ts',
    from: 'If it was you, there is nothing to do. If not, end that session at once, and ask for help.',
    to: 'If it was you, there is nothing to do. If not, end that session at once and tell us.',
  },
  {
    path: 'features/password/files/src/features/password/limits.ts',
    from: 'loginOfAccount: { points: 5,',
    to: 'loginOfAccount: { points: 4,',
  },
  {
    path: 'features/registration/files/src/features/registration/limits.ts',
    from: 'points: 20,',
    to: 'points: 15,',
  },
  {
    path: `${base}/src/features.ts.ejs`,
    from: "import { usersRoutes } from './users/index.js';\n",
    to: "import { usersRoutes } from './users/index.js';\nimport { versionRoutes } from './version/index.js';\n",
  },
  {
    path: `${base}/src/features.ts.ejs`,
    from: '<% } -%>\n};\n',
    to: '<% } -%>\n  version: versionRoutes,\n};\n',
  },
  {
    path: `${base}/src/version/index.ts`,
    added: `import { z } from 'zod';
import { get } from '../http/route.js';

const Version = z.object({ version: z.literal(2) });

export const versionRoutes = [
  get('/version', { summary: 'The version of these routes', reply: Version }, async () => ({
    body: { version: 2 as const },
  })),
];
`,
  },
  {
    path: `${base}/src/health/started-at.ts`,
    added: `import { now } from '../clock.js';

/** When this process began, in ms since the epoch. */
export const startedAt = now();
`,
  },
  { path: 'base/package.json', from: '"nodemailer": "^10.6.0"', to: '"nodemailer": "^10.7.0"' },
  { path: 'base/package.json', from: '"pino-pretty": "^13.2.0"', to: '"pino-pretty": "^13.3.0"' },
  {
    path: 'base/package.json',
    from: '"test": "vitest run"',
    to: '"test": "vitest run --passWithNoTests"',
  },
  {
    path: `${base}/_tsconfig.json`,
    from: '"strict": true,',
    to: '"strict": true,\n    "noUncheckedSideEffectImports": true,',
  },
  {
    path: `${base}/_biome.json`,
    from: '"noExplicitAny": "error",',
    to: '"noExplicitAny": "error",\n        "noDebugger": "error",',
  },
  { path: `${base}/_gitignore`, from: '.DS_Store\n', to: '.DS_Store\ntmp/\n' },
  {
    path: 'base/env.example',
    from: 'PORT=3000\n',
    to: 'PORT=3000\n# Where files lie that nobody needs later.\nSCRATCH_FOLDER=\n',
  },
  {
    path: 'base/compose.yaml',
    from: '    init: true\n',
    to: '    init: true\n    stop_grace_period: 15s\n',
  },
  ...[base, 'databases/database-server/files'].flatMap((files) => [
    {
      path: `${files}/.github/workflows/ci.yml.ejs`,
      from: 'node: [20, 22, 24, 26]',
      to: 'node: [22, 24, 26]',
    },
    {
      path: `${files}/.github/workflows/ci.yml.ejs`,
      from: 'timeout-minutes: 15',
      to: 'timeout-minutes: 20',
    },
  ]),
  { path: `${base}/Dockerfile.ejs`, from: '--interval=10s', to: '--interval=15s' },
  {
    path: `${base}/README.md.ejs`,
    from: '| change how mails look |',
    to: '| change the look of mails |',
  },
  {
    path: 'features/password/files/src/features/password/login.test.ts',
    from: "test('the tokens of a sign-in open the account'",
    to: "test('the tokens of a sign-in open the account of whoever signed in'",
  },
  { path: `${base}/src/mail/outbox.ts`, movedTo: `${base}/src/mail/write-to-outbox.ts` },
  {
    path: `${base}/src/mail/mailer.ts`,
    from: "import { createOutbox } from './outbox.js';\nimport { createSmtpMailer } from './smtp.js';\n",
    to: "import { createSmtpMailer } from './smtp.js';\nimport { createOutbox } from './write-to-outbox.js';\n",
  },
  {
    path: 'features/device-notice/files/src/features/device-notice/table.ts',
    from: '    user_id: string;',
    to: '    /** Whose device it is. */\n    user_id: string;',
  },
  {
    path: 'base/layer.json',
    from: '"order": 0,',
    to: '"order": 0,\n  "renamed": { "src/mail/write-to-outbox.ts": "src/mail/outbox.ts" },\n  "removed": ["src/log.test.ts", "src/db/values.test.ts"],',
  },
  { path: `${base}/src/log.test.ts`, removed: true },
  { path: `${base}/src/db/values.test.ts`, removed: true },
  {
    path: `${base}/migrations/20991231_team_names.ts`,
    added: `import { type Kysely, sql } from 'kysely';

/** The names that teams of users have. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('team_names').addColumn('name', sql\`varchar(64)\`).execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('team_names').execute();
}
`,
  },
  {
    path: `${base}/src/users/index.ts`,
    from: "summary: 'Change the own first, last or full name',",
    to: "summary: 'Change the own names',",
  },
  {
    path: `${base}/src/users/table.ts`,
    from: '/** In normal form (trimmed, NFKC, lower case); unique. */',
    to: '/** Unique, in normal form: trimmed, NFKC, lower case. */',
  },
  {
    path: `${base}/src/mail/smtp.ts`,
    from: "import type { Config } from '../config.js';\n",
    to: "import { setTimeout as wait } from 'node:timers/promises';\nimport type { Config } from '../config.js';\n",
  },
  {
    path: `${base}/src/mail/smtp.ts`,
    from: '      await (await transport).sendMail(envelope(config, mail));\n',
    to: '      const opened = await transport;\n      await wait(0);\n      await opened.sendMail(envelope(config, mail));\n',
  },
];

/** Makes the package of a later release. @returns the path of its command */
export function nextRelease(folder: string): string {
  const filter = (path: string) => basename(path) !== 'node_modules';
  for (const path of ['bin', 'dist', 'templates', 'package.json']) {
    cpSync(join(packageFolder, path), join(folder, path), { recursive: true, filter });
  }
  edit(join(folder, 'package.json'), /"version": "[^"]*"/, `"version": "${nextVersion}"`);
  for (const change of changes) apply(join(folder, 'templates'), change);
  packTemplates(folder);
  return join(folder, 'bin/create-auth-service.js');
}

function apply(templates: string, change: TemplateChange): void {
  const path = join(templates, change.path);
  if ('added' in change) writeFiles(templates, { [change.path]: change.added });
  else if ('movedTo' in change) renameSync(path, join(templates, change.movedTo));
  else if ('removed' in change) rmSync(path);
  else edit(path, change.from, change.to);
}

function edit(path: string, from: string | RegExp, to: string): void {
  const before = readFileSync(path, 'utf8');
  const after = before.replace(from, () => to);
  if (after === before) throw new Error(`${path} has no ${from} any more: adapt the next release`);
  writeFileSync(path, after);
}
