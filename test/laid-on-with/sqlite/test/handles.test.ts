import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { browser, type Client } from './client.js';
import { linkTokenTo } from './flows/link.js';
import { begin, createAccount, signInAt, startServiceWith } from './flows/oauth.js';
import { counterparts } from './oauth/counterparts.js';
import { signInAs } from './sign-in-as.js';

const EACH = 50;

/**
 * Fails if handles resemble one another, or depend on the order in which they were created or on what was
 * known at the time. All are hexadecimal, of one length.
 */
function expectUnrelated(handles: string[], known: string[]): void {
  expect(new Set(handles).size).toBe(handles.length);
  const chunks = handles.flatMap((handle) => handle.match(/.{16}/g) ?? []);
  expect(new Set(chunks).size).toBe(chunks.length);
  const pairs = handles.slice(1).map((handle, at) => handle > (handles[at] ?? ''));
  const rises = pairs.filter(Boolean).length;
  // A counter or a clock would only rise. By chance half of 100 do.
  expect(rises).toBeGreaterThan(handles.length * 0.35);
  expect(rises).toBeLessThan(handles.length * 0.65);
  for (const each of known) {
    const spellings = [
      each.replaceAll('-', ''),
      Buffer.from(each).toString('hex'),
      ...['md5', 'sha1', 'sha256', 'sha512'].map((name) =>
        createHash(name).update(each).digest('hex'),
      ),
    ];
    for (const spelling of spellings) {
      const part = spelling.slice(0, 12);
      expect([each, handles.some((handle) => handle.includes(part))]).toEqual([each, false]);
    }
  }
}

test.each(counterparts)(
  'F-06 a hundred handles of links and of conflicts at %s say nothing of user, provider or time',
  async (_name, start) => {
    const { service, counterpart } = await startServiceWith(start);
    const owner = await createAccount(service, 'ada@example.com', false);
    // All at the same moment: a handle derived from the time would repeat.
    const moment = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(moment);

    const tokens: string[] = [];
    const browsers: string[] = [];
    const ask = async (client: Client, body: object, email: string) => {
      await client.post('/link-request', body);
      const token = await linkTokenTo(service, email);
      expect(token).toMatch(/^[0-9a-f]{64}$/);
      tokens.push(token);
    };
    // The conflict of the same person at the same provider, repeatedly.
    for (let nth = 0; nth < EACH; nth++) {
      counterpart.person = { id: '1', email: owner.email, isEmailVerified: true };
      const { client, page } = await signInAt(service, counterpart);
      expect(page.pathname).toBe('/account-conflict');
      // The URL of the page contains only what the person knows.
      expect([...page.searchParams.keys()].sort()).toEqual(['code', 'email', 'provider']);
      browsers.push(client.cookies.get('oauth-browser') ?? '');
      await ask(client, { email: owner.email, provider: counterpart.name }, owner.email);
    }
    // Links of many people, each to an address of their own.
    const ids = [owner.id];
    for (let nth = 0; nth < EACH; nth++) {
      const { client, user } = await signInAs(service);
      ids.push(user.id);
      const email = `${nth}@home.example`;
      await ask(client, { email }, email);
      const other = browser(service);
      await begin(other, counterpart);
      browsers.push(other.cookies.get('oauth-browser') ?? '');
    }

    const times = [moment, Math.floor(moment / 1000)].map(String);
    const known = [...ids, owner.email, counterpart.name, ...times];
    expectUnrelated(tokens, known);
    for (const handle of browsers) expect(handle).toMatch(/^[0-9a-f]{64}$/);
    expectUnrelated(browsers, known);
  },
);
