import * as z from 'zod';
import type { Db } from '../db/schema.js';
import { defineFeature, event } from '../feature.js';
import { refuse } from '../http/errors.js';
import { del, get, Issued, post, type Route, Success, Time } from '../http/route.js';
import { addedBeforeRemoved } from './credentials.js';
import {
  cookiesToClear,
  deleteExpiredSessions,
  endSession,
  endSessionsOfUser,
  holdsSession,
  logOut,
} from './end-session.js';
import { refresh } from './refresh.js';
import { type Session, sessionStore } from './session-store.js';

export const SessionView = z.object({
  sessionHandle: z.string(),
  handle: z.string(),
  createdAt: Time,
  lastActiveAt: Time,
  expiresAt: Time,
  userAgent: z.string().nullable(),
  ipAddress: z.string().nullable(),
  isCurrent: z.boolean(),
});

/** A session as its owner sees it. `sessionHandle` and `handle` are one value: clients read either. */
export function sessionView(session: Session, currentId: string): z.output<typeof SessionView> {
  const { id } = session;
  const isCurrent = id === currentId;
  return SessionView.parse({ ...session, sessionHandle: id, handle: id, isCurrent });
}

/** A client can always log out, whatever body it sends. */
const LogoutBody = z.object({ refreshToken: z.optional(z.string().regex(/^[\w.-]+$/)) }).catch({});

export const session = defineFeature({
  mails: { addedBeforeRemoved },
  ownBrowser: holdsSession,
  errors: {
    INVALID_REFRESH_TOKEN: [401, 'The refresh token is not valid.'],
    SESSION_NOT_FOUND: [404, 'There is no such session.'],
  },
  limits: { refreshOfSession: { points: 30, seconds: 60 } },
  events: {
    'identity.session.created': event<{
      sessionId: string;
      method: string;
      userAgent: string | null;
      ipAddress: string | null;
    }>(),
    'identity.session.rotated': event<{ sessionId: string }>(),
    'identity.session.revoked': event<{ sessionId: string; reason: string }>(),
    'identity.session.expired': event<{ sessionId: string }>(),
    'identity.auth.login.success': event<{ method: string; provider?: string }>(),
    'identity.auth.login.failed': event<{ method: string; reason: string; email: string }>(),
    'identity.auth.logout': event<{ sessionId: string }>(),
  },
  stores: (db: Db) => ({ sessions: sessionStore(db) }),
  cleanUp: deleteExpiredSessions,
  routes: (): Route[] => [
    post('/refresh', {
      summary: 'Exchange a refresh token for new tokens',
      body: z.object({ refreshToken: z.string().min(1).optional() }),
      readsCredential: 'refreshToken',
      reply: Issued,
      errors: ['INVALID_REFRESH_TOKEN', 'SESSION_REVOKED', 'ACCOUNT_DISABLED'],
      onFailure: { success: false },
      handle: refresh,
    }),

    post('/logout', {
      summary: 'End the session and clear the cookies',
      body: LogoutBody,
      readsCredential: 'accessToken',
      neverRefuses: true,
      handle: async ({ body, request, services }) => {
        await logOut(services, request, body.refreshToken);
        return { body: { success: true }, cookies: cookiesToClear(services, request) };
      },
    }),

    get('/sessions', {
      summary: 'Your sessions',
      access: 'signed-in',
      reply: z.object({ sessions: z.array(SessionView) }),
      handle: async ({ caller, services }) => {
        const sessions = await services.sessions.listOfUser(caller.user.id);
        return { body: { sessions: sessions.map((each) => sessionView(each, caller.sessionId)) } };
      },
    }),

    del('/sessions', {
      summary: 'End all your sessions but this one',
      access: 'signed-in',
      handle: async ({ caller: { user, sessionId }, request, services }) => {
        await endSessionsOfUser(services, { request }, user.id, 'revoked', sessionId);
      },
    }),

    del('/sessions/{handle}', {
      summary: 'End one of your sessions',
      access: 'signed-in',
      errors: ['SESSION_NOT_FOUND'],
      handle: async ({ params, caller, request, services }) => {
        const session = { id: params.handle ?? '', userId: caller.user.id };
        const isEnded = await endSession(services, { request }, session, 'revoked');
        if (!isEnded) throw refuse('SESSION_NOT_FOUND');
      },
    }),

    post('/sessions/cleanup', {
      summary: 'Delete expired sessions',
      access: 'signed-in',
      permission: 'sessions:cleanup',
      reply: Success.extend({ deleted: z.int() }),
      handle: async ({ caller, request, services }) => {
        const deleted = await deleteExpiredSessions(services, { actor: caller.user.id, request });
        return { body: { success: true, deleted } };
      },
    }),
  ],
});
