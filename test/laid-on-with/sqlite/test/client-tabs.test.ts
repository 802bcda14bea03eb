import { expect, onTestFinished, test, vi } from 'vitest';
import { createAuthClient } from '../client/auth-client.js';
import { closedGate } from './gate.js';
import { startTestService } from './service.js';
import { signInAs, signInBrowserAs } from './sign-in-as.js';

interface Api {
  'GET /me': { reply: { sub: string; metadata: Record<string, unknown> } };
  'PATCH /profile': { body: { firstName: string }; reply: object };
}

/** A tab of this browser; what follows a response from `path` happens before the tab gets it. */
async function openTab() {
  const service = await startTestService();
  const { client, user } = await signInBrowserAs(service);
  const cookie = () => [...client.cookies].map((pair) => pair.join('=')).join('; ');
  vi.stubGlobal('document', {
    get cookie() {
      return cookie();
    },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const late: { path?: string; meanwhile?: () => unknown } = {};
  const auth = createAuthClient<Api>({
    url: '',
    async fetch(path, { method = '', body, signal } = {}) {
      const answer = await client.send(method, String(path), body ?? undefined);
      if (path === late.path) await late.meanwhile?.();
      signal?.throwIfAborted();
      return Response.json(answer.body, { status: answer.status });
    },
  });
  return { auth, client, late, service, user };
}

test('race: what one user sends while another signs in changes nothing for the other', async () => {
  const { auth, client, late, service } = await openTab();
  const { refreshToken, user: next } = await signInAs(service);
  service.advance(16 * 60_000);
  const meanwhile = async () => {
    Object.assign(late, { path: undefined });
    expect((await client.post('/refresh', { refreshToken })).status).toBe(200);
    // A tab that was left open for a while: the access token of the next user has expired, too.
    client.cookies.delete('accessToken');
  };
  Object.assign(late, { path: '/profile', meanwhile });

  const refused = auth.call('PATCH /profile', { body: { firstName: 'Ada' } });
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_TOKEN' });

  const { sub, metadata } = await auth.call('GET /me');
  expect([sub, metadata]).toEqual([next.id, {}]);
});

test('a refresh whose response is lost blocks no other request for long, and costs no session', async () => {
  const { auth, late, service, user } = await openTab();
  service.advance(16 * 60_000);
  const aborted = closedGate();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    expect(ms).toBeLessThan(service.config.REFRESH_REUSE_WINDOW);
    aborted.open();
    return AbortSignal.abort();
  });
  Object.assign(late, { path: '/refresh', meanwhile: () => aborted.opened });

  await expect(auth.call('GET /me')).rejects.toMatchObject({ name: 'AbortError' });

  vi.restoreAllMocks();
  expect((await auth.call('GET /me')).sub).toBe(user.id);
});
