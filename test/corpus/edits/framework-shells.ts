import type { TeamEdit } from '../team-edit.js';

/** Edits where the framework meets the service: Hono. */
export const honoShell: TeamEdit[] = [
  {
    team: 'adds a route in app.ts (Hono)',
    template: 'changes app.ts, which is the team’s',
    upstream: [
      {
        path: 'frameworks/hono/files/src/app.ts',
        from: '/** The Hono app. ',
        to: '/** The Hono app that answers everything. ',
      },
    ],
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
    team: 'limits connections (Hono)',
    template: 'sets an option of the listener',
    upstream: [
      {
        path: 'frameworks/hono/files/src/http/listen.ts',
        from: '{ autoCleanupIncoming: false }',
        to: '{\n    autoCleanupIncoming: false,\n    overrideGlobalObjects: false,\n  }',
      },
    ],
    apply: ({ replace }) =>
      replace(
        'src/http/listen.ts',
        '  return listenOn(',
        '  server.maxConnections = 500;\n  return listenOn(',
      ),
    outcomes: { 'src/http/listen.ts': 'merged' },
    has: { 'src/http/listen.ts': ['maxConnections = 500', 'overrideGlobalObjects: false'] },
  },
  {
    team: 'sets another variable in requireUser (Hono)',
    template: 'changes the same line',
    upstream: [
      {
        path: 'frameworks/hono/files/src/http/mount.ts',
        from: "    c.set('caller', await admitCaller(services, c.env.incoming, permission));",
        to: "    const { incoming } = c.env;\n    c.set('caller', await admitCaller(services, incoming, permission));",
      },
    ],
    apply: ({ replace }) =>
      replace(
        'src/http/mount.ts',
        "    c.set('caller', await admitCaller(services, c.env.incoming, permission));",
        "    const caller = await admitCaller(services, c.env.incoming, permission);\n    c.set('caller', caller);",
      ),
    outcomes: { 'src/http/mount.ts': 'conflict' },
    has: { 'src/http/mount.ts': ["c.set('caller', caller);", 'const { incoming } = c.env'] },
  },
];

/** Fastify. */
export const fastifyShell: TeamEdit[] = [
  {
    team: 'adds a route in app.ts (Fastify)',
    template: 'changes app.ts, which is the team’s',
    upstream: [
      {
        path: 'frameworks/fastify/files/src/app.ts',
        from: '/** The Fastify app. ',
        to: '/** The Fastify app that answers everything. ',
      },
    ],
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
    team: 'sets options that its own routes need (Fastify)',
    template: 'sets another one',
    upstream: [
      {
        path: 'frameworks/fastify/files/src/http/listen.ts',
        from: '    return503OnClosing: false,\n',
        to: '    return503OnClosing: false,\n    pluginTimeout: 20_000,\n',
      },
    ],
    apply: ({ replace }) =>
      replace(
        'src/http/listen.ts',
        '    trustProxy: trustedProxies(config),\n',
        '    trustProxy: trustedProxies(config),\n    bodyLimit: 64 * 1024,\n',
      ),
    outcomes: { 'src/http/listen.ts': 'merged' },
    has: { 'src/http/listen.ts': ['bodyLimit: 64 * 1024,', 'pluginTimeout: 20_000,'] },
  },
  {
    team: 'splits requireUser (Fastify)',
    template: 'changes the same line',
    upstream: [
      {
        path: 'frameworks/fastify/files/src/http/mount.ts',
        from: '    request.caller = await admitCaller(services, request.raw, permission);',
        to: '    const { raw } = request;\n    request.caller = await admitCaller(services, raw, permission);',
      },
    ],
    apply: ({ replace }) =>
      replace(
        'src/http/mount.ts',
        '    request.caller = await admitCaller(services, request.raw, permission);',
        '    const caller = await admitCaller(services, request.raw, permission);\n    request.caller = caller;',
      ),
    outcomes: { 'src/http/mount.ts': 'conflict' },
    has: { 'src/http/mount.ts': ['request.caller = caller;', 'const { raw } = request'] },
  },
];
