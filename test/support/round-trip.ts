import { expect } from 'vitest';
import { send } from './native-client.js';

/** The responses of a service through the life of an account; each step is named in plain words. */
type RoundTrip = Record<string, number | string>;

/**
 * Registers, signs in, asks who it is, proves the address by the mailed link, is shown a code for an authenticator app,
 * refreshes, resets the password and signs out, as a native client.
 * @param url of the service, without its prefix
 * @param mails the links that were mailed so far, the newest first
 */
export async function roundTrip(
  url: string,
  email: string,
  mails: () => string[],
): Promise<RoundTrip> {
  const password = 'correct horse battery staple';
  const registered = await send(url, 'POST', '/register', { email, password });
  const login = await send(url, 'POST', '/login', { email, password });
  const me = await send(url, 'GET', '/me', undefined, login.body.accessToken);
  await send(url, 'POST', '/send-verification-email', {}, login.body.accessToken);
  await expect.poll(mails, { timeout: 60_000 }).toHaveLength(1);
  const token = mails()[0]?.split('token=')[1];
  const proven = await send(
    url,
    'GET',
    `/verify-email?token=${token}`,
    undefined,
    login.body.accessToken,
  );
  const app = await send(url, 'POST', '/2fa/setup', {}, login.body.accessToken);
  const { refreshToken } = login.body;
  const refreshed = await send(url, 'POST', '/refresh', { refreshToken });
  const newest = { refreshToken: refreshed.body.refreshToken };
  const forgot = await send(url, 'POST', '/forgot-password', { email });
  const left = await send(url, 'POST', '/logout', newest);
  const after = await send(url, 'POST', '/refresh', newest);
  return {
    registered: registered.status,
    login: login.status,
    me: `${me.status} ${me.body.email}`,
    proven: proven.status,
    app: app.status,
    refreshed: refreshed.status,
    isRotated: String(refreshed.body.refreshToken !== refreshToken),
    forgot: forgot.status,
    left: left.status,
    after: `${after.status} ${after.body.code}`,
  };
}

/** The expected outcome of `roundTrip`. */
export function expectedRoundTrip(email: string): RoundTrip {
  return {
    registered: 201,
    login: 200,
    me: `200 ${email}`,
    proven: 200,
    app: 200,
    refreshed: 200,
    isRotated: 'true',
    forgot: 200,
    left: 200,
    after: '401 SESSION_REVOKED',
  };
}
