import { z } from 'zod';
import { refuse } from '../../http/errors.js';
import type { Route } from '../../http/route.js';
import { endSession, endSessionsOfUser } from '../../session/end-session.js';
import { SessionView, sessionView } from '../../session/feature.js';
import type { Session } from '../../session/session-store.js';
import { findUser, findUserBelow, requireNotAbove } from './privilege.js';
import { del, get, ListPage, pageOf } from './route.js';

const AdminSessionView = SessionView.extend({ userId: z.string(), email: z.string() });
const SessionList = z.object({ sessions: z.array(AdminSessionView), total: z.number() });
const READ = { permission: 'sessions:read' };
const WRITE = { permission: 'sessions:write' };

export const sessionRoutes: Route[] = [
  get(
    '/sessions',
    { summary: 'List the sessions of all users', ...READ, query: ListPage, reply: SessionList },
    async ({ caller, query, services }) => {
      const { sessions, total } = await services.admin.listSessions(query);
      const views = sessions.map(({ session, email }) => viewOf(session, email, caller.sessionId));
      return { body: { sessions: views, total } };
    },
  ),

  del(
    '/sessions/{handle}',
    { summary: 'End a session', ...WRITE, errors: ['SESSION_NOT_FOUND'] },
    async ({ caller, cause, params, services }) => {
      const session = await services.sessions.find(params.handle ?? '');
      if (!session) throw refuse('SESSION_NOT_FOUND');
      await requireNotAbove(services, caller, session.userId);
      await endSession(services, cause, session, 'revoked');
    },
  ),

  get(
    '/users/{id}/sessions',
    {
      summary: 'List the sessions of a user',
      ...READ,
      query: ListPage,
      reply: SessionList,
      errors: ['NOT_FOUND'],
    },
    async (call) => {
      const { id, email } = await findUser(call);
      const sessions = await call.services.sessions.listOfUser(id);
      const { items, total } = pageOf(sessions, call.query, (each) => [
        each.ipAddress,
        each.userAgent,
      ]);
      const views = items.map((session) => viewOf(session, email, call.caller.sessionId));
      return { body: { sessions: views, total } };
    },
  ),

  del(
    '/users/{id}/sessions',
    { summary: 'End all sessions of a user', ...WRITE, errors: ['NOT_FOUND'] },
    async (call) => {
      const { id } = await findUserBelow(call);
      await endSessionsOfUser(call.services, call.cause, id, 'revoked');
    },
  ),
];

function viewOf(session: Session, email: string, currentId: string) {
  return { ...sessionView(session, currentId), userId: session.userId, email };
}
