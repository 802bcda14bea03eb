import * as z from 'zod';
import { refuse } from '../../http/errors.js';
import type { Route } from '../../http/route.js';
import { endSession, endSessionsOfUser } from '../../session/end-session.js';
import { SessionView, sessionView } from '../../session/feature.js';
import type { Session } from '../../session/session-store.js';
import { list, pageOf } from './list.js';
import { accountInPath, findManageableUser } from './privilege.js';
import { del } from './route.js';

const AdminSessionView = SessionView.extend({ userId: z.string(), email: z.string() });

export type AdminSessionView = z.output<typeof AdminSessionView>;

const SESSIONS = { permission: 'sessions:read', of: 'sessions', item: AdminSessionView };
const WRITE = { permission: 'sessions:write' };

export const sessionRoutes: Route[] = [
  list('/sessions', {
    summary: 'List the sessions of all users',
    ...SESSIONS,
    read: async ({ caller, query, services }) => {
      const { items, rest } = await services.admin.listSessions(query);
      const views = items.map(({ session, email }) => viewOf(session, email, caller.sessionId));
      return { items: views, rest };
    },
  }),

  del('/sessions/{handle}', {
    summary: 'End a session',
    ...WRITE,
    errors: ['SESSION_NOT_FOUND'],
    handle: async ({ caller, cause, params, services }) => {
      const session = await services.sessions.find(params.handle ?? '');
      if (!session) throw refuse('SESSION_NOT_FOUND');
      await findManageableUser({ params: { id: session.userId }, caller, services });
      await endSession(services, cause, session, 'revoked');
    },
  }),

  list('/users/{id}/sessions', {
    summary: 'List the sessions of a user',
    ...SESSIONS,
    errors: ['NOT_FOUND'],
    read: async (call) => {
      const { id, email } = (await accountInPath(call)).user;
      const sessions = await call.services.sessions.listOfUser(id);
      const views = sessions.map((session) => viewOf(session, email, call.caller.sessionId));
      return pageOf(views, call.query, (each) => [each.ipAddress, each.userAgent]);
    },
  }),

  del('/users/{id}/sessions', {
    summary: 'End all sessions of a user',
    ...WRITE,
    errors: ['NOT_FOUND'],
    handle: async (call) => {
      const { id } = await findManageableUser(call);
      await endSessionsOfUser(call.services, call.cause, id, 'revoked');
    },
  }),
];

function viewOf(session: Session, email: string, currentId: string) {
  return { ...sessionView(session, currentId), userId: session.userId, email };
}
