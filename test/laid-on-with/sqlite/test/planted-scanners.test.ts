import { expect, test } from 'vitest';
import { nativeClient } from './client.js';
import { signInAt } from './flows/oauth.js';
import {
  namesOfMails,
  plant,
  startWorld,
  tokenTo,
  VICTIM,
  type World,
  whatRemains,
} from './planted.js';
import { visitor } from './visitor.js';

// A mail scanner follows every link before the owner sees it, as programs of mail servers and browsers do. Here the
// links lead to the service's own pages.

interface Mailed {
  /** The owner of the address that the attacker opens the account with. */
  opened?: string;
  /** Has the link mailed to the victim. */
  ask(world: World, attacker: Awaited<ReturnType<typeof plant>>): Promise<unknown>;
  /** The page behind the link, its form, and what the owner types there. */
  page: string;
  form: string;
  fields?: Record<string, string>;
  /** The route that takes the token. */
  route: string;
}

const mailed: Record<string, Mailed> = {
  'a magic link': {
    ask: ({ service }) => nativeClient(service).post('/magic-link/send', { email: VICTIM }),
    page: 'magic-link',
    form: 'verify',
    route: '/magic-link/verify',
  },
  'a link that resets the password': {
    ask: ({ service }) => nativeClient(service).post('/forgot-password', { email: VICTIM }),
    page: 'reset-password',
    form: 'reset',
    fields: { newPassword: 'a password that is new' },
    route: '/reset-password',
  },
  'a link that links an account': {
    async ask({ service, counterpart }) {
      counterpart.person = { id: '1', email: VICTIM, isEmailVerified: true };
      const { client } = await signInAt(service, counterpart);
      await client.post('/link-request', { email: VICTIM, provider: counterpart.name });
    },
    page: 'link-verify',
    form: 'link',
    route: '/link-verify',
  },
  'a link that changes the address': {
    opened: 'mallory@evil.example',
    ask: (_world, { client }) => client.post('/change-email/request', { newEmail: VICTIM }),
    page: 'change-email',
    form: 'confirm',
    route: '/change-email/confirm',
  },
};

/** Programs that open a page before a person does: malware scanners and link previews. */
const SCANNERS: [string, Record<string, string>][] = [
  ['HEAD', { 'user-agent': 'Mozilla/5.0 (compatible; Barracuda Sentinel)' }],
  ['GET', { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) SafeLinks', accept: '*/*' }],
  ['GET', { 'user-agent': 'Slackbot-LinkExpanding 1.0', accept: 'text/html' }],
  ['GET', { 'sec-purpose': 'prefetch', accept: 'text/html' }],
];

test.each(Object.entries(mailed))(
  'F-02 %s that a scanner opens first uses nothing up, signs nobody in and proves nothing; the click of the owner does',
  async (_name, { opened, ask, page, form, fields, route }) => {
    const world = await startWorld({ APP_URL: '' });
    const { service } = world;
    const attacker = await plant(world, opened);
    await ask(world, attacker);
    const token = await tokenTo(service, VICTIM, page);
    const link = `/auth/ui/${page}?token=${token}`;
    const sessions = () => service.services.db.selectFrom('sessions').select('id').execute();
    const before = await sessions();

    for (const [method, headers] of SCANNERS) {
      const seen: string[] = [];
      for (const path of [link, `/auth${route}?token=${token}`]) {
        const answer = await fetch(service.url + path, { method, headers, redirect: 'manual' });
        seen.push(...answer.headers.getSetCookie());
        await answer.arrayBuffer();
      }
      expect(seen.join()).not.toMatch(/(access|refresh)Token=[^;]/);
    }
    const scanner = visitor(service);
    await scanner.open(link);
    await scanner.open(link);
    expect([...scanner.cookies.keys()].join()).not.toMatch(/(access|refresh)Token/);
    expect(await sessions()).toEqual(before);
    expect((await attacker.client.get('/me')).status).toBe(200);
    expect((await attacker.client.post('/2fa/setup')).body.code).toBe('EMAIL_NOT_VERIFIED');
    expect(await namesOfMails(service)).not.toContain('addedBeforeRemoved');

    const owner = visitor(service);
    await owner.open(link);
    const { status } = await owner.submit(form, fields);

    expect(status).toBe(200);
    expect(await whatRemains(attacker)).toEqual([]);
    expect(await namesOfMails(service)).toContain('addedBeforeRemoved');
  },
);
