import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addAdmin } from '../src/commands/administrators.js';
import type { FeatureParts } from '../src/feature.js';
import { deleteRole, takeRole } from '../src/features/roles/feature.js';
import { features } from '../src/features.js';
import { ADMIN_ROLE, giveRole } from '../src/users/account.js';
import { addRole, signInAtAdmin } from './administrator.js';
import { browser, type Client, nativeClient } from './client.js';
import { accountAt, linkTokenTo } from './flows/link.js';
import { createAccount, signInAt, startServiceWith } from './flows/oauth.js';
import { enrolTotp } from './flows/totp.js';
import { counterparts } from './oauth/counterparts.js';
import { addEndpoint, publish, startReceiver, untilHolds } from './receiver.js';
import { startTestService, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';
import { type EventCase, type EventCases, madeUp, signInEvents } from './sign-in-events.js';

const MONTH = 31 * 24 * 60 * 60 * 1000;

async function refreshOnce() {
  const service = await startTestService();
  const { refreshToken } = await signInAs(service);
  await nativeClient(service).post('/refresh', { refreshToken });
  return { service, refreshToken };
}

const logOut: EventCase = async () => {
  const service = await startTestService();
  await (await signInAs(service)).client.post('/logout');
  return service;
};

const baseTestEvents: EventCases = {
  'identity.role.assigned': {
    'npm run admin -- create': async () => {
      const service = await startTestService();
      await addAdmin(service.services, { email: 'ada@example.com' });
      return service;
    },
    'npm run admin -- promote': async () => {
      const service = await startTestService();
      const { user } = await signInAs(service);
      await giveRole(service.services, user.id, ADMIN_ROLE, {});
      return service;
    },
  },
  'identity.session.rotated': { 'POST /refresh': async () => (await refreshOnce()).service },
  'identity.session.revoked': {
    'DELETE /sessions/{handle}': async () => {
      const service = await startTestService();
      const { client, sessionId } = await signInAs(service);
      await client.delete(`/sessions/${sessionId}`);
      return service;
    },
    'DELETE /sessions': async () => {
      const service = await startTestService();
      const { user } = await signInAs(service);
      await (await signInAs(service, user)).client.delete('/sessions');
      return service;
    },
    'POST /refresh': async () => {
      const { service, refreshToken } = await refreshOnce();
      service.advance(60 * 60 * 1000);
      await browser(service).post('/refresh', { refreshToken });
      return service;
    },
    'POST /logout': logOut,
  },
  'identity.session.expired': {
    'POST /sessions/cleanup': async () => {
      const service = await startTestService();
      await signInAs(service);
      service.advance(MONTH);
      await (await signInAs(service, { role: 'admin' })).client.post('/sessions/cleanup');
      return service;
    },
  },
  'identity.auth.logout': { 'POST /logout': logOut },
};

const accountDeletionTestEvents: EventCases = {
  'identity.user.deleted': {
    'DELETE /account': async () => {
      const service = await startTestService();
      await (await signInAs(service)).client.delete('/account');
      return service;
    },
  },
};

const accountLinkingTestEvents: EventCases = {
  'identity.user.linked': {
    'POST /link-verify': async () => {
      const service = await startTestService();
      const { client } = await signInAs(service);
      const email = 'other@example.com';
      await client.post('/link-request', { email });
      await nativeClient(service).post('/link-verify', {
        token: await linkTokenTo(service, email),
      });
      return service;
    },
    'GET /oauth/{provider}/callback': async () => {
      const [, start] = counterparts.find(([, , verifies]) => verifies) ?? [];
      if (!start) throw new Error('No provider verifies addresses.');
      const { service, counterpart } = await startServiceWith(start);
      await createAccount(service, 'ada@example.com', true);
      await signInAt(service, counterpart);
      return service;
    },
  },
  'identity.auth.login.failed': {
    'POST /link-verify': madeUp('/link-verify'),
  },
  'identity.user.unlinked': { 'DELETE /linked-accounts/{provider}/{id}': unlinking },
  'identity.session.revoked': { 'DELETE /linked-accounts/{provider}/{id}': unlinking },
};

async function unlinking() {
  const service = await startTestService();
  const { client, user } = await signInAs(service);
  await signInAs(service, user);
  for (const id of ['1', '2']) {
    await service.services.accountLinking.add(user.id, accountAt('acme', id));
  }
  await client.delete('/linked-accounts/acme/1');
  return service;
}

/** What an administrator does to a user. */
function adminAct(request: (client: Client, userId: string) => Promise<unknown>): EventCase {
  return async () => {
    const service = await startTestService();
    await addRole(service, 'editor', ['posts:write']);
    const { client } = await signInAtAdmin(service);
    const { user } = await signInAs(service);
    await request(client, user.id);
    return service;
  };
}

const bulkAct = (act: string) =>
  adminAct((client, id) => client.post('/users/bulk', { ids: [id], act }));

const adminTestEvents: EventCases = {
  'identity.user.created': {
    'POST /admin/api/users': adminAct((client) =>
      client.post('/users', { email: 'new@example.com' }),
    ),
  },
  'identity.user.deleted': {
    'DELETE /admin/api/users/{id}': adminAct((client, id) => client.delete(`/users/${id}`)),
    'POST /admin/api/users/bulk': bulkAct('delete'),
  },
  'identity.session.revoked': {
    'POST /admin/api/users/{id}/disable': adminAct((client, id) =>
      client.post(`/users/${id}/disable`),
    ),
    'POST /admin/api/users/bulk': bulkAct('disable'),
    'DELETE /admin/api/users/{id}/sessions': adminAct((client, id) =>
      client.delete(`/users/${id}/sessions`),
    ),
    'DELETE /admin/api/sessions/{handle}': adminAct(async (client, id) => {
      const { body } = await client.get(`/users/${id}/sessions`);
      await client.delete(`/sessions/${body.sessions[0].handle}`);
    }),
  },
  'identity.role.assigned': {
    'POST /admin/api/users': adminAct((client) =>
      client.post('/users', { email: 'new@example.com', role: 'editor' }),
    ),
    'POST /admin/api/users/{id}/roles': adminAct((client, id) =>
      client.post(`/users/${id}/roles`, { role: 'editor' }),
    ),
  },
  'identity.role.revoked': {
    'DELETE /admin/api/users/{id}/roles/{name}': adminAct(async (client, id) => {
      await client.post(`/users/${id}/roles`, { role: 'editor' });
      await client.delete(`/users/${id}/roles/editor`);
    }),
    'DELETE /admin/api/roles/{name}': adminAct(async (client, id) => {
      await client.post(`/users/${id}/roles`, { role: 'editor' });
      await client.delete('/roles/editor');
    }),
  },
};

const totpTestEvents: EventCases = {
  'identity.session.revoked': {
    'POST /2fa/disable': async () => {
      const service = await startTestService();
      const ada = await signInAs(service);
      await enrolTotp(ada);
      await signInAs(service, ada.user);
      await ada.client.post('/2fa/disable');
      return service;
    },
  },
};

const emailChangeTestEvents: EventCases = {
  'identity.user.email.changed': {
    'POST /change-email/confirm': async () => {
      const service = await startTestService();
      const { client } = await signInAs(service);
      await client.post('/change-email/request', { newEmail: 'new@example.com' });
      const mail = (await service.mails()).at(-1);
      const token = /token=([0-9a-f]{64})/.exec(mail?.text ?? '')?.[1];
      await nativeClient(service).post('/change-email/confirm', { token });
      return service;
    },
  },
};

const emailVerificationTestEvents: EventCases = {
  'identity.user.email.verified': {
    'GET /verify-email': async () => {
      const service = await startTestService();
      const { client } = await signInAs(service, { isEmailProven: false });
      await client.post('/send-verification-email');
      const mail = (await service.mails()).at(-1);
      const token = /token=([0-9a-f]{64})/.exec(mail?.text ?? '')?.[1];
      await browser(service).get(`/verify-email?token=${token}`);
      return service;
    },
  },
};

const registrationTestEvents: EventCases = {
  'identity.user.created': {
    'POST /register': async () => {
      const service = await startTestService();
      const ada = { email: 'ada@example.com', password: 'correct horse battery staple' };
      await nativeClient(service).post('/register', ada);
      return service;
    },
  },
};

const ROLES_ROLE = 'editor';

/** A user with a role of their own, and what the command does next. */
function rolesWithRole(act: (service: TestService, userId: string) => Promise<unknown>): EventCase {
  return async () => {
    const service = await startTestService();
    const { user } = await signInAs(service);
    await service.services.roles.create({ name: ROLES_ROLE, permissions: ['posts:write'] });
    await giveRole(service.services, user.id, ROLES_ROLE, {});
    await act(service, user.id);
    return service;
  };
}

const rolesTestEvents: EventCases = {
  'identity.role.assigned': { 'npm run roles -- give': rolesWithRole(async () => {}) },
  'identity.role.revoked': {
    'npm run roles -- take': rolesWithRole(({ services }, id) =>
      takeRole(services, id, ROLES_ROLE, {}),
    ),
    'npm run roles -- delete': rolesWithRole(({ services }) =>
      deleteRole(services, ROLES_ROLE, {}),
    ),
  },
};

const webhooksTestEvents: EventCases = {
  'identity.webhook.test': {
    'npm run webhooks -- test': async () => {
      const service = await startTestService();
      const receiver = await startReceiver();
      const { id } = await addEndpoint(service, { url: receiver.url });
      await service.services.transaction(async ({ events }) =>
        events.publish('identity.webhook.test', { webhookId: id }, {}),
      );
      await receiver.until(1);
      return service;
    },
  },
  'identity.webhook.deactivated': {
    '410': async () => {
      const service = await startTestService();
      const gone = await startReceiver((response) => response.writeHead(410).end());
      await addEndpoint(service, { url: gone.url });
      publish(service);
      await untilHolds(async () => {
        const events = await service.events();
        return events.some(({ event }) => event === 'identity.webhook.deactivated');
      }, 'the deactivation');
      return service;
    },
  },
};

interface Row {
  event: string;
  /** The fields of the event's data; one that ends in `?` may be absent. */
  fields: string[];
  when: string;
}

const eventCases = [
  ...signInEvents,
  baseTestEvents,
  accountDeletionTestEvents,
  accountLinkingTestEvents,
  adminTestEvents,
  totpTestEvents,
  emailChangeTestEvents,
  emailVerificationTestEvents,
  registrationTestEvents,
  rolesTestEvents,
  webhooksTestEvents,
];

const ROW = /^\| `(identity\.[\w.]+)` \| (.*?) \| (.*?) \|$/gm;

/** The rows of the tables of events in the docs: one for each trigger of an event. */
function rowsOfDocs(folder = 'docs'): Row[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) => [...readFileSync(join(folder, path), 'utf8').matchAll(ROW)])
    .flatMap(([, event = '', data = '', causes = '']) =>
      codesIn(causes).map((when) => ({ event, fields: codesIn(data), when })),
    );
}

function codesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

const cases = eventCases
  .flatMap((of) => Object.entries(of))
  .flatMap(([event, causes]) =>
    Object.entries(causes).map(([when, act]) => ({ event, when, act })),
  );
const rows = rowsOfDocs();

test.each(rows)('$event: $when', async ({ event, fields, when }) => {
  const found = cases.find((each) => each.event === event && each.when === when);
  const service = await found?.act();
  const published = (await service?.events())?.findLast((each) => each.event === event);
  expect(published, 'the event was published').toBeDefined();
  const names = Object.keys(published?.data ?? {});
  const certain = fields.filter((field) => !field.endsWith('?'));
  expect(names).toEqual(expect.arrayContaining(certain));
  expect(fields.map((field) => field.replace('?', ''))).toEqual(expect.arrayContaining(names));
});

test('the docs say what triggers each event', () => {
  const documented = rows.map(({ event, when }) => `${event}: ${when}`);
  expect(documented).toEqual(
    expect.arrayContaining(cases.map(({ event, when }) => `${event}: ${when}`)),
  );
  expect(new Set(documented).size, 'each once').toBe(documented.length);
});

test('each event that a feature declares is in the docs', () => {
  const declared = Object.values<FeatureParts>(features).flatMap(({ events = {} }) =>
    Object.keys(events),
  );
  expect(rows.map(({ event }) => event)).toEqual(expect.arrayContaining(declared));
});
