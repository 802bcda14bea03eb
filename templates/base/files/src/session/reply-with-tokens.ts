import { now } from '../clock.js';
import { type Cookie, readSessionCookie, sessionCookie } from '../http/cookies.js';
import { createCsrfToken, isCsrfTokenOf } from '../http/csrf.js';
import type { RequestFacts } from '../http/request.js';
import type { Reply } from '../http/route.js';
import type { Services } from '../services.js';
import type { Account } from './caller.js';
import { issueTokens, type TokenPair } from './issue-tokens.js';
import type { LiveSession } from './session.js';

/** Cookies for browsers; tokens in the body, and no cookie, for clients that ask for them. */
export function replyWithTokens(
  services: Services,
  request: RequestFacts,
  session: LiveSession,
  account: Account,
): Reply {
  const tokens = issueTokens(services, session, account, now());
  if (request.wantsBearer) return { body: { success: true, ...tokens } };
  return {
    body: { success: true },
    cookies: cookiesOf(services, request, session, tokens),
  };
}

function cookiesOf(
  services: Services,
  request: RequestFacts,
  session: LiveSession,
  tokens: TokenPair,
): Cookie[] {
  const { config } = services;
  const refreshAge = Math.max(0, Math.ceil((session.expiresAt - now()) / 1000));
  const accessAge = Math.min(Math.floor(config.ACCESS_TOKEN_TTL / 1000), refreshAge);
  const cookies = [
    sessionCookie(config, 'accessToken', tokens.accessToken, accessAge),
    sessionCookie(config, 'refreshToken', tokens.refreshToken, refreshAge),
  ];
  if (!config.CSRF) return cookies;
  const csrfToken = csrfTokenFor(services, request, session.id);
  return [...cookies, sessionCookie(config, 'csrf-token', csrfToken, refreshAge)];
}

/** A token that is good for this session is kept, so that a refresh does not break other tabs. */
function csrfTokenFor(services: Services, request: RequestFacts, sessionId: string): string {
  const current = readSessionCookie(request.cookies, 'csrf-token');
  const { csrf } = services.keys;
  if (current && isCsrfTokenOf(csrf, current, sessionId)) return current;
  return createCsrfToken(csrf, sessionId);
}
