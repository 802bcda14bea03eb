import type { TeamEdit } from '../team-edit.js';

/** What a team changes where its framework meets the service: Hono. */
export const honoShell: TeamEdit[] = [
  {
    team: 'adds a route in app.ts (Hono)',
    template: 'changes app.ts, which is the team’s',
    apply: ({ replace }) =>
      replace(
        'src/app.ts',
        '  // Your routes go here.',
        "  app.get('/ping', (c) => c.json({ pong: true }));\n\n  // Your routes go here.",
      ),
    outcomes: { 'src/app.ts': 'kept' },
    has: { 'src/app.ts': ["'/ping'"] },
  },
  {
    team: 'logs the requests to the service (Hono)',
    template: 'changes how answers are sent, in the same file',
    apply: ({ replace }) =>
      replace(
        'src/http/mount.ts',
        '    if (!found) return next();\n',
        "    if (!found) return next();\n    services.log.debug({ url: incoming.url }, 'taken');\n",
      ),
    outcomes: { 'src/http/mount.ts': 'merged' },
    has: { 'src/http/mount.ts': ["'taken'", 'status === 204'] },
  },
  {
    team: 'limits connections (Hono)',
    template: 'sets an option of the listener',
    apply: ({ replace }) =>
      replace(
        'src/listen.ts',
        '  return listenOn(',
        '  server.maxConnections = 500;\n  return listenOn(',
      ),
    outcomes: { 'src/listen.ts': 'merged' },
    has: { 'src/listen.ts': ['maxConnections = 500', 'overrideGlobalObjects: false'] },
  },
  {
    team: 'sets a variable more behind requireUser (Hono)',
    template: 'changes the same line',
    apply: ({ replace }) =>
      replace(
        'src/http/require-user.ts',
        "    c.set('caller', await admitCaller(services, read(c.env.incoming), permission));",
        "    const caller = await admitCaller(services, read(c.env.incoming), permission);\n    c.set('caller', caller);",
      ),
    outcomes: { 'src/http/require-user.ts': 'conflict' },
    has: { 'src/http/require-user.ts': ["c.set('caller', caller);", 'const { incoming } = c.env'] },
  },
];

/** Fastify. */
export const fastifyShell: TeamEdit[] = [
  {
    team: 'adds a route in app.ts (Fastify)',
    template: 'changes app.ts, which is the team’s',
    apply: ({ replace }) =>
      replace(
        'src/app.ts',
        '  // Your routes and plugins go here.',
        "  app.get('/ping', async () => ({ pong: true }));\n\n  // Your routes and plugins go here.",
      ),
    outcomes: { 'src/app.ts': 'kept' },
    has: { 'src/app.ts': ["'/ping'"] },
  },
  {
    team: 'maps an error of a plugin of its own (Fastify)',
    template: 'maps another one, elsewhere in the list',
    apply: ({ replace }) =>
      replace(
        'src/http/mount.ts',
        "  ['FST_ERR_BAD_URL', 'NOT_FOUND'],\n",
        "  ['ACME_GONE', 'NOT_FOUND'],\n  ['FST_ERR_BAD_URL', 'NOT_FOUND'],\n",
      ),
    outcomes: { 'src/http/mount.ts': 'merged' },
    has: { 'src/http/mount.ts': ['ACME_GONE', 'FST_ERR_CTP_INVALID_CONTENT_LENGTH'] },
  },
  {
    team: 'sets options that its own routes need (Fastify)',
    template: 'sets another one',
    apply: ({ replace }) =>
      replace(
        'src/listen.ts',
        '    trustProxy: trustedProxies(config),\n',
        '    trustProxy: trustedProxies(config),\n    bodyLimit: 64 * 1024,\n',
      ),
    outcomes: { 'src/listen.ts': 'merged' },
    has: { 'src/listen.ts': ['bodyLimit: 64 * 1024,', 'pluginTimeout: 20_000,'] },
  },
  {
    team: 'takes what requireUser does apart (Fastify)',
    template: 'changes the same line',
    apply: ({ replace }) =>
      replace(
        'src/http/require-user.ts',
        '    request.caller = await admitCaller(services, read(request.raw), permission);',
        '    const caller = await admitCaller(services, read(request.raw), permission);\n    request.caller = caller;',
      ),
    outcomes: { 'src/http/require-user.ts': 'conflict' },
    has: { 'src/http/require-user.ts': ['request.caller = caller;', 'const { raw } = request'] },
  },
];
