import { contains } from '../../db/contains.js';
import type { Db } from '../../db/schema.js';
import { type Session, sessionOf } from '../../session/session.js';
import { grantOf } from '../../users/role-grant.js';
import { type User, userOf } from '../../users/user.js';
import type { ListPage } from './list-page.js';

/** What administrators list, with the number of all that fit. */
export interface AdminStore {
  /** The newest first; `filter` is part of the address. */
  listUsers(page: ListPage): Promise<{ users: { user: User; roles: string[] }[]; total: number }>;
  /** The latest active first; `filter` is a user's id, or part of an address or of an IP address. */
  listSessions(
    page: ListPage,
  ): Promise<{ sessions: { session: Session; email: string }[]; total: number }>;
}

/** The lists of administrators on the service's database. */
export function adminStore(db: Db): AdminStore {
  async function rolesOf(userIds: string[]): Promise<Map<string, string[]>> {
    if (userIds.length === 0) return new Map();
    const rows = await db
      .selectFrom('user_roles')
      .innerJoin('roles', 'roles.name', 'user_roles.role_name')
      .select(['user_id', 'role_name', 'assigned_at', 'permissions'])
      .where('user_id', 'in', userIds)
      .execute();
    return new Map(
      userIds.map((id) => [id, grantOf(rows.filter(({ user_id }) => user_id === id)).names]),
    );
  }

  return {
    async listUsers({ limit, offset, filter }) {
      let chosen = db.selectFrom('users');
      if (filter) chosen = chosen.where(({ ref }) => contains(ref('email'), filter));
      const rows = await chosen
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .offset(offset)
        .execute();
      const { total } = await chosen
        .select((of) => of.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const roles = await rolesOf(rows.map(({ id }) => id));
      const users = rows.map((row) => ({ user: userOf(row), roles: roles.get(row.id) ?? [] }));
      return { users, total: Number(total) };
    },

    async listSessions({ limit, offset, filter }) {
      let chosen = db.selectFrom('sessions').innerJoin('users', 'users.id', 'sessions.user_id');
      if (filter) {
        chosen = chosen.where((where) =>
          where.or([
            where('sessions.user_id', '=', filter),
            contains(where.ref('users.email'), filter),
            contains(where.ref('sessions.ip_address'), filter),
          ]),
        );
      }
      const rows = await chosen
        .selectAll('sessions')
        .select('users.email')
        .orderBy('last_active_at', 'desc')
        .orderBy('sessions.id')
        .limit(limit)
        .offset(offset)
        .execute();
      const { total } = await chosen
        .select((of) => of.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const sessions = rows.map((row) => ({ session: sessionOf(row), email: row.email }));
      return { sessions, total: Number(total) };
    },
  };
}
