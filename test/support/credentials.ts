import { randomUUID } from 'node:crypto';

/** What a service has given to a user, by the names that stand for it in a hostile exchange. */
export type Credentials = Record<'access' | 'refresh' | 'csrf' | 'cookies' | 'email', string>;

const password = 'correct horse battery staple';
const json = { 'content-type': 'application/json' };

/** Opens an account and signs in as a browser does. Each comes from an address of its own, so that no limit is met. */
export async function newCredentials(url: string): Promise<Credentials> {
  const email = `${randomUUID()}@example.com`;
  await post(`${url}/auth/register`, { email, password });
  return signIn(url, email, password);
}

/** Signs in somebody who has an account. */
export async function signIn(url: string, email: string, secret: string): Promise<Credentials> {
  const answer = await post(`${url}/auth/login`, { email, password: secret });
  const pairs = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const of = (name: string) =>
    pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  const [access, refresh, csrf] = [of('accessToken'), of('refreshToken'), of('csrf-token')];
  if (!access || !refresh || !csrf) throw new Error(`not signed in: ${await answer.text()}`);
  return { access, refresh, csrf, cookies: pairs.join('; '), email };
}

/** True while they are good for a request. */
export async function areGood(url: string, { access }: Credentials): Promise<boolean> {
  const headers = { authorization: `Bearer ${access}`, 'x-forwarded-for': nextAddress() };
  return (await fetch(`${url}/auth/me`, { headers })).status === 200;
}

let addresses = 0;

/** Another address each time, for a service that believes one proxy. */
export function nextAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

function post(url: string, body: object): Promise<Response> {
  const headers = { ...json, 'x-forwarded-for': nextAddress() };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}
