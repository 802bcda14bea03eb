import type { TeamEdit } from '../team-edit.js';

const health = `import type { Express } from 'express';

/** Answers what load balancers of this team ask for. */
export function ping(app: Express): void {
  app.get('/ping', (_request, response) => {
    response.json({ pong: true });
  });
}
`;

/** What a team builds: routes, rules, features, tables. */
export const ownCode: TeamEdit[] = [
  {
    team: 'adds a route in app.ts',
    template: 'changes app.ts, which is the team’s',
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
    team: 'adds a feature to a generated list',
    template: 'adds one at the same place',
    apply({ write, replace }) {
      write(
        'src/features/waitlist/index.ts',
        `import { z } from 'zod';
import { get } from '../../http/route.js';

const Place = z.object({ place: z.number() });

export const waitlistRoutes = [
  get('/waitlist', { summary: 'The place in the queue', reply: Place }, async () => ({
    body: { place: 1 },
  })),
];
`,
      );
      replace(
        'src/features.ts',
        "import { usersRoutes } from './users/index.js';\n",
        "import { usersRoutes } from './users/index.js';\nimport { waitlistRoutes } from './waitlist.js';\n",
      );
      write('src/waitlist.ts', "export { waitlistRoutes } from './features/waitlist/index.js';\n");
      replace(
        'src/features.ts',
        '  totp: totpRoutes,\n',
        '  totp: totpRoutes,\n  waitlist: waitlistRoutes,\n',
      );
    },
    outcomes: { 'src/features.ts': 'merged', 'src/version/index.ts': 'added' },
    has: { 'src/features.ts': ['  waitlist: waitlistRoutes,\n', '  version: versionRoutes,\n'] },
  },
  {
    team: 'adds its own rate limits to a generated list',
    template: 'changes others',
    apply({ write, replace }) {
      write(
        'src/invitations/limits.ts',
        `import type { LimitRule } from '../http/base-limits.js';

export const invitationLimits = {
  invitationsOfAccount: { points: 10, seconds: 3600, scope: 'shared' },
} as const satisfies Record<string, LimitRule>;
`,
      );
      replace(
        'src/rate-limits.ts',
        "import { baseLimits } from './http/base-limits.js';\n",
        "import { baseLimits } from './http/base-limits.js';\nimport { invitationLimits } from './invitations/limits.js';\n",
      );
      replace(
        'src/rate-limits.ts',
        '  ...baseLimits,\n',
        '  ...baseLimits,\n  ...invitationLimits,\n',
      );
    },
    outcomes: { 'src/rate-limits.ts': 'merged' },
    has: { 'src/rate-limits.ts': ['...invitationLimits'] },
  },
  {
    team: 'adds a route to a route table',
    template: 'changes another route of it',
    apply: ({ replace }) =>
      replace(
        'src/users/index.ts',
        'export const usersRoutes = [\n',
        `export const usersRoutes = [
  get(
    '/me/id',
    { summary: 'The own id', access: 'signed-in', reply: z.object({ id: z.string() }) },
    async ({ caller }) => ({ body: { id: caller.user.id } }),
  ),

`,
      ),
    outcomes: { 'src/users/index.ts': 'merged' },
    has: { 'src/users/index.ts': ["'/me/id'", 'Change the own names'] },
  },
  {
    team: 'adds a column to a table',
    template: 'changes a comment in the table',
    apply({ write, replace }) {
      replace(
        'src/features/device-notice/table.ts',
        '    first_seen_at: number;\n',
        '    first_seen_at: number;\n    label: Generated<string>;\n',
      );
      replace(
        'src/features/device-notice/table.ts',
        'export interface',
        "import type { Generated } from 'kysely';\n\nexport interface",
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
      'src/features/device-notice/table.ts': 'merged',
      'migrations/20991231_team_names.ts': 'added',
    },
    has: {
      'src/features/device-notice/table.ts': ['label: Generated<string>', 'Whose device it is.'],
    },
  },
  {
    team: 'writes a migration that happens to have the name of a new one',
    template: 'adds that migration',
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
    apply: ({ write }) => write('src/version/index.ts', 'export const versionRoutes = [];\n'),
    outcomes: { 'src/version/index.ts': 'beside', 'src/features.ts': 'updated' },
    has: { 'src/version/index.ts.template': ["'/version'"] },
    decides: 'theirs',
  },
];
