import type { LoadRequest } from './load-job.js';

const PASSWORD = 'correct horse battery staple';
const JSON_BODY = { 'Content-Type': 'application/json' };
const BEARER = { 'X-Auth-Strategy': 'bearer' };

/** A signed-in user's credentials, once as cookies and once as tokens. */
export interface Account {
  cookies: { header: string; refreshToken: string };
  tokens: { accessToken: string; refreshToken: string };
}

/** Registers `count` users over HTTP and signs each in twice: a session of cookies, one of tokens. */
export function createAccounts(port: number, count: number): Promise<Account[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => createAccount(port, index)));
}

/** `POST /login` of user number `index`. */
export function loginRequest(index: number): LoadRequest {
  const body = JSON.stringify({ email: emailOf(index), password: PASSWORD });
  return { method: 'POST', path: '/auth/login', headers: JSON_BODY, body };
}

/** `GET /me` as browsers and as API clients send it, and `/refresh` likewise. */
export function requestsOf({ cookies, tokens }: Account) {
  return {
    meByCookie: me({ Cookie: cookies.header }),
    meByBearer: me({ Authorization: `Bearer ${tokens.accessToken}` }),
    refreshByCookie: {
      method: 'POST',
      path: '/auth/refresh',
      headers: { Cookie: cookies.header.replace(/(refreshToken=)[^;]+/, '$1{token}') },
      token: cookies.refreshToken,
    },
    refreshByBearer: {
      method: 'POST',
      path: '/auth/refresh',
      headers: { ...JSON_BODY, ...BEARER },
      body: '{"refreshToken":"{token}"}',
      token: tokens.refreshToken,
    },
  } satisfies Record<string, LoadRequest>;
}

export function me(headers: Record<string, string>): LoadRequest {
  return { method: 'GET', path: '/auth/me', headers };
}

async function createAccount(port: number, index: number): Promise<Account> {
  const origin = `http://127.0.0.1:${port}`;
  const { path, headers, body } = loginRequest(index);
  await post(`${origin}/auth/register`, { ...headers }, body);
  const byCookie = await post(origin + path, { ...headers }, body);
  const byBearer = await post(origin + path, { ...headers, ...BEARER }, body);
  const pairs = byCookie.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const header = pairs.join('; ');
  const refreshToken = /refreshToken=([^;]+)/.exec(header)?.[1] ?? '';
  return {
    cookies: { header, refreshToken },
    tokens: (await byBearer.json()) as Account['tokens'],
  };
}

async function post(url: string, headers: Record<string, string>, body: string | undefined) {
  const response = await fetch(url, { method: 'POST', headers, ...(body ? { body } : {}) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response;
}

function emailOf(index: number): string {
  return `user-${index}@example.com`;
}
