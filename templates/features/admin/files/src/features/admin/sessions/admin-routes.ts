import { z } from 'zod';
import { refuse } from '../../../http/errors.js';
import { endSession, endSessionsOfUser } from '../../../session/end-session.js';
import type { Session } from '../../../session/session.js';
import { SessionView, Success, sessionView } from '../../../session/views.js';
import { requireNotAbove } from '../../roles/within-own.js';
import { ListPage, pageOf } from '../list-page.js';
import { del, get } from '../route.js';
import { findUser } from '../users/find-user.js';

const AdminSessionView = SessionView.extend({ userId: z.string(), email: z.string() });
const SessionList = z.object({ sessions: z.array(AdminSessionView), total: z.number() });
const READ = { permission: 'sessions:read' };
const WRITE = { permission: 'sessions:write' };

export const sessionRoutes = [
  get(
    '/sessions',
    { summary: 'List sessions of all users', ...READ, query: ListPage, reply: SessionList },
    async ({ caller, query, services }) => {
      const { sessions, total } = await services.admin.listSessions(query);
      const views = sessions.map(({ session, email }) => viewOf(session, email, caller.sessionId));
      return { body: { sessions: views, total } };
    },
  ),

  del(
    '/sessions/{handle}',
    { summary: 'End a session', ...WRITE, reply: Success, errors: ['SESSION_NOT_FOUND'] },
    async ({ caller, params, request, services }) => {
      const session = await services.sessions.find(params.handle ?? '');
      if (!session) throw refuse('SESSION_NOT_FOUND');
      await requireNotAbove(services, caller, session.userId);
      await endSession(services, { actorId: caller.user.id, request }, session, 'revoked');
      return { body: { success: true } };
    },
  ),

  get(
    '/users/{id}/sessions',
    {
      summary: 'The sessions of a user',
      ...READ,
      query: ListPage,
      reply: SessionList,
      errors: ['NOT_FOUND'],
    },
    async ({ caller, params, query, services }) => {
      const { id, email } = await findUser(services, params);
      const sessions = await services.sessions.listOfUser(id);
      const { items, total } = pageOf(sessions, query, (each) => [each.ipAddress, each.userAgent]);
      const views = items.map((session) => viewOf(session, email, caller.sessionId));
      return { body: { sessions: views, total } };
    },
  ),

  del(
    '/users/{id}/sessions',
    { summary: 'End all sessions of a user', ...WRITE, reply: Success, errors: ['NOT_FOUND'] },
    async ({ caller, params, request, services }) => {
      const { id } = await findUser(services, params);
      await requireNotAbove(services, caller, id);
      await endSessionsOfUser(services, { actorId: caller.user.id, request }, id, 'revoked');
      return { body: { success: true } };
    },
  ),
];

function viewOf(session: Session, email: string, currentId: string) {
  return { ...sessionView(session, currentId), userId: session.userId, email };
}
