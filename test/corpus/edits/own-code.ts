import type { TeamEdit } from '../team-edit.js';

const health = `import type { Express } from 'express';

/** Answers the health checks of this team's load balancers. */
export function ping(app: Express): void {
  app.get('/ping', (_request, response) => {
    response.json({ pong: true });
  });
}
`;

/** Edits that add code: routes, rules, features, tables. */
export const ownCode: TeamEdit[] = [
  {
    team: 'adds a route in app.ts',
    template: 'changes app.ts, which is the team’s',
    upstream: [
      {
        path: 'frameworks/express/files/src/app.ts',
        from: "  app.disable('x-powered-by');\n",
        to: "  app.disable('x-powered-by');\n  app.set('query parser', 'simple');\n",
      },
    ],
    apply({ write, replace }) {
      write('src/ping.ts', health);
      replace(
        'src/app.ts',
        '  // Your routes go here.',
        '  ping(app);\n\n  // Your routes go here.',
      );
      replace(
        'src/app.ts',
        'import type { Services }',
        "import { ping } from './ping.js';\nimport type { Services }",
      );
    },
    outcomes: { 'src/app.ts': 'kept' },
    has: { 'src/app.ts': ['ping(app);'] },
  },
  {
    team: 'puts a claim into access tokens in policy.ts',
    template: 'changes policy.ts, which is the team’s',
    upstream: [
      {
        path: 'features/registration/when/password/src/policy.ts',
        from: '/** The role that a new account gets. */',
        to: '/** The role that every new account gets. */',
      },
    ],
    apply: ({ replace }) =>
      replace('src/policy.ts', '  return {};', "  return { tenant: 'acme' };"),
    outcomes: { 'src/policy.ts': 'kept' },
    has: { 'src/policy.ts': ["tenant: 'acme'"] },
  },
  {
    team: 'gives its mails another color',
    template: '—',
    apply: ({ replace }) => replace('src/mail/layout.ts', '#f4f4f5', '#ffe4e6'),
    outcomes: { 'src/mail/layout.ts': 'unchanged' },
    has: { 'src/mail/layout.ts': ['#ffe4e6'] },
  },
  {
    team: 'reacts to an event',
    template: '—',
    apply: ({ replace }) =>
      replace(
        'src/events/subscribers.ts',
        'export function subscribers(_services: Services): Subscriber[] {\n  return [\n',
        "export function subscribers({ log }: Services): Subscriber[] {\n  return [\n    async ({ event }) => log.debug({ event }, 'seen'),\n",
      ),
    outcomes: { 'src/events/subscribers.ts': 'unchanged' },
    has: { 'src/events/subscribers.ts': ["'seen'"] },
  },
  {
    team: 'adds a feature to the list',
    template: 'adds one at the same place',
    upstream: [
      {
        path: 'base/files/src/features/workspace/feature.ts',
        added: `import * as z from 'zod';
import { defineFeature } from '../../feature.js';
import { get, type Route } from '../../http/route.js';

const Workspace = z.object({ name: z.string() });

export const workspace = defineFeature({
  routes: (): Route[] => [
    get('/workspace', {
      summary: 'Where one is',
      reply: Workspace,
      handle: async () => ({ body: { name: 'Acme' } }),
    }),
  ],
});
`,
      },
    ],
    apply({ write, replace }) {
      write(
        'src/features/wish-list/feature.ts',
        `import * as z from 'zod';
import { defineFeature } from '../../feature.js';
import { get, type Route } from '../../http/route.js';

const Wish = z.object({ wish: z.string() });

export const wishList = defineFeature({
  routes: (): Route[] => [
    get('/wish', {
      summary: 'The first wish',
      reply: Wish,
      handle: async () => ({ body: { wish: 'a pony' } }),
    }),
  ],
});
`,
      );
      replace(
        'src/features.ts',
        "import { mail } from './mail/feature.js';\n",
        "import { wishList } from './features/wish-list/feature.js';\nimport { mail } from './mail/feature.js';\n",
      );
      replace('src/features.ts', '  session,\n', '  wishList,\n  session,\n');
    },
    outcomes: { 'src/features.ts': 'merged', 'src/features/workspace/feature.ts': 'added' },
    has: { 'src/features.ts': ['  wishList,\n', '  workspace,\n'] },
  },
  {
    team: 'adds a rate limit',
    template: 'changes a sentence near it',
    upstream: [
      {
        path: 'base/files/src/http/limits.ts',
        from: '/** All requests from one IP. */',
        to: '/** All requests from one address. */',
      },
    ],
    apply: ({ replace }) =>
      replace(
        'src/http/limits.ts',
        '} as const satisfies Record<string, LimitRule>;\n',
        '  invitationsOfAccount: { points: 10, seconds: 3600 },\n} as const satisfies Record<string, LimitRule>;\n',
      ),
    outcomes: { 'src/http/limits.ts': 'merged' },
    has: { 'src/http/limits.ts': ['invitationsOfAccount', 'from one address.'] },
  },
  {
    team: 'adds a route to a route table',
    template: 'changes another route of it',
    upstream: [
      {
        path: 'base/files/src/users/feature.ts',
        from: "summary: 'Change your profile',",
        to: "summary: 'Change your names',",
      },
    ],
    apply({ replace }) {
      replace(
        'src/users/feature.ts',
        '  routes: (): Route[] => [\n',
        `  routes: (): Route[] => [
    get('/me/id', {
      summary: 'Your id',
      access: 'signed-in',
      reply: z.object({ id: z.string() }),
      handle: async ({ caller }) => ({ body: { id: caller.user.id } }),
    }),

`,
      );
    },
    outcomes: { 'src/users/feature.ts': 'merged' },
    has: { 'src/users/feature.ts': ["'/me/id'", 'Change your names'] },
  },
  {
    team: 'adds a column to a table',
    template: 'changes a comment in the table',
    upstream: [
      {
        path: 'features/device-notice/files/src/features/device-notice/feature.ts',
        from: '      user_id: string;',
        to: '      /** Whose device it is. */\n      user_id: string;',
      },
    ],
    apply({ write, replace }) {
      replace(
        'src/features/device-notice/feature.ts',
        '      first_seen_at: number;\n',
        '      first_seen_at: number;\n      label: Generated<string>;\n',
      );
      replace(
        'src/features/device-notice/feature.ts',
        "import type { Db } from '../../db/schema.js';\n",
        "import type { Generated } from 'kysely';\nimport type { Db } from '../../db/schema.js';\n",
      );
      write(
        'migrations/20270101_device_labels.ts',
        `import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('known_devices')
    .addColumn('label', sql\`varchar(20)\`, (column) => column.notNull().defaultTo(''))
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('known_devices').dropColumn('plan').execute();
}
`,
      );
    },
    outcomes: {
      'src/features/device-notice/feature.ts': 'merged',
      'migrations/20991231_team_names.ts': 'added',
    },
    has: {
      'src/features/device-notice/feature.ts': ['label: Generated<string>', 'Whose device it is.'],
    },
  },
  {
    team: 'writes a migration that happens to have the name of a new one',
    template: 'adds that migration',
    upstream: [
      {
        path: 'base/files/migrations/20991231_team_names.ts',
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
    ],
    apply: ({ write }) =>
      write(
        'migrations/20991231_team_names.ts',
        'export async function up(): Promise<void> {}\nexport async function down(): Promise<void> {}\n',
      ),
    outcomes: { 'migrations/20991231_team_names.ts': 'beside' },
    has: {
      'migrations/20991231_team_names.ts': ['up(): Promise<void> {}'],
      'migrations/20991231_team_names.ts.template': ["createTable('team_names')"],
    },
  },
  {
    team: 'writes a file where a new one goes',
    template: 'adds that file',
    apply: ({ write }) =>
      write('src/features/workspace/feature.ts', 'export const workspace = {};\n'),
    outcomes: { 'src/features/workspace/feature.ts': 'beside', 'src/features.ts': 'updated' },
    has: { 'src/features/workspace/feature.ts.template': ["'/workspace'"] },
    decides: 'theirs',
  },
];
