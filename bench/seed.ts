import { randomUUID } from 'node:crypto';
import bcrypt from 'bcrypt';
import Database from 'libsql';
import { PASSWORD } from './accounts.js';
import { BCRYPT_COST, databaseFile, startService } from './service.js';

/** A user of the database, with two sessions. */
export interface SeededUser {
  id: string;
  email: string;
  sessions: { id: string; refreshId: string }[];
}

/** Called for each session by its own client: browsers and API clients never share one. */
export const SESSIONS_EACH = 2;
const YEAR_MS = 365 * 24 * 3_600_000;

/**
 * Lets the service make the database called `name`, then writes `count` users with a role, a
 * password and two sessions each straight into its tables: signing up 100,000 takes hours of bcrypt.
 */
export async function seedDatabase(name: string, count: number): Promise<SeededUser[]> {
  await (await startService(name)).stop();
  const database = new Database(databaseFile(name));
  const hash = await bcrypt.hash(PASSWORD, BCRYPT_COST);
  const users = Array.from({ length: count }, (_, index) => userOf(index));
  database.exec('pragma foreign_keys = on; begin');
  const insertUser = database.prepare(
    `insert into users (id, email, login_provider, metadata, created_at, updated_at) values (?, ?, 'local', '{}', ?, ?)`,
  );
  const insertRole = database.prepare(`insert into user_roles values (?, 'user', ?)`);
  const insertPassword = database.prepare('insert into passwords values (?, ?, ?)');
  const insertSession = database.prepare(
    `insert into sessions (id, user_id, method, created_at, authenticated_at, last_active_at, expires_at, refresh_id, rotated_at)
     values (?, ?, 'local', ?, ?, ?, ?, ?, ?)`,
  );
  const now = Date.now();
  for (const { id, email, sessions } of users) {
    insertUser.run([id, email, now, now]);
    insertRole.run([id, now]);
    insertPassword.run([id, hash, now]);
    for (const session of sessions) {
      insertSession.run([session.id, id, now, now, now, now + YEAR_MS, session.refreshId, now]);
    }
  }
  database.exec('commit');
  database.close();
  return users;
}

function userOf(index: number): SeededUser {
  const sessions = Array.from({ length: SESSIONS_EACH }, () => ({
    id: randomUUID(),
    refreshId: randomUUID(),
  }));
  return { id: randomUUID(), email: `user-${index}@example.com`, sessions };
}
