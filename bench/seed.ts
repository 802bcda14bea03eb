import { randomUUID } from 'node:crypto';
import bcrypt from 'bcrypt';
import { PASSWORD } from './accounts.js';
import { openTables } from './databases.js';
import { FIRST } from './kinds.js';
import { BCRYPT_COST, startService } from './service.js';

/** A user of the database, with two sessions. */
export interface SeededUser {
  id: string;
  email: string;
  sessions: { id: string; refreshId: string }[];
}

/** Called for each session by its own client: browsers and API clients never share one. */
export const SESSIONS_EACH = 2;
const YEAR_MS = 365 * 24 * 3_600_000;

/** So many rows go into one statement. */
const BATCH = 500;

/**
 * Lets the service make the database called `name`, then writes `count` users with a role, a
 * password and two sessions each straight into its tables: signing up 100,000 takes hours of bcrypt.
 */
export async function seedDatabase(
  name: string,
  count: number,
  kind = FIRST,
): Promise<SeededUser[]> {
  await (await startService(name, kind)).stop();
  const tables = await openTables(name, kind);
  const hash = await bcrypt.hash(PASSWORD, BCRYPT_COST);
  const users = Array.from({ length: count }, (_, index) => userOf(index));
  const now = Date.now();
  await tables.transaction().execute(async (transaction) => {
    for (let at = 0; at < count; at += BATCH) {
      for (const [table, rows] of rowsOf(users.slice(at, at + BATCH), hash, now)) {
        await transaction.insertInto(table).values(rows).execute();
      }
    }
  });
  await tables.destroy();
  return users;
}

function rowsOf(users: SeededUser[], hash: string, now: number) {
  const times = { created_at: now, updated_at: now };
  const account = { login_provider: 'local', metadata: '{}', ...times };
  const session = { method: 'local', authenticated_at: now, last_active_at: now, rotated_at: now };
  const life = { created_at: now, expires_at: now + YEAR_MS, used_refresh_ids: '[]' };
  return [
    ['users', users.map(({ id, email }) => ({ id, email, ...account }))],
    ['user_roles', users.map(({ id }) => ({ user_id: id, role_name: 'user', assigned_at: now }))],
    ['passwords', users.map(({ id }) => ({ user_id: id, hash, changed_at: now }))],
    [
      'sessions',
      users.flatMap(({ id: user_id, sessions }) =>
        sessions.map(({ id, refreshId }) => ({
          id,
          user_id,
          refresh_id: refreshId,
          ...session,
          ...life,
        })),
      ),
    ],
  ] as const;
}

function userOf(index: number): SeededUser {
  const sessions = Array.from({ length: SESSIONS_EACH }, () => ({
    id: randomUUID(),
    refreshId: randomUUID(),
  }));
  return { id: randomUUID(), email: `user-${index}@example.com`, sessions };
}
