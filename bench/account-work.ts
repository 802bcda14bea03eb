import { randomUUID } from 'node:crypto';
import Database from 'libsql';

/** As many as `/me` is asked for by. */
const USERS = 1_000;

/**
 * What no `/me` on this stack can do without: 1 select of a user by their session, with their roles, through the driver alone. No
 * token, no checks, no headers.
 */
export function accountWork(databaseFile: string): () => object {
  const database = new Database(databaseFile);
  database.exec('pragma journal_mode = wal; pragma synchronous = normal;');
  database.exec(`
    create table users (id text primary key, email text, metadata text, created_at integer);
    create table live_sessions (id text primary key, user_id text);
    create table user_roles (user_id text, role_name text, primary key (user_id, role_name));
  `);
  const addUser = database.prepare('insert into users values (?, ?, ?, ?)');
  const addSession = database.prepare('insert into live_sessions values (?, ?)');
  const addRole = database.prepare('insert into user_roles values (?, ?)');
  const sessions = Array.from({ length: USERS }, (_, index) => {
    const [userId, sessionId] = [randomUUID(), randomUUID()];
    addUser.run([userId, `user-${index}@example.com`, '{}', Date.now()]);
    addSession.run([sessionId, userId]);
    addRole.run([userId, 'user']);
    return sessionId;
  });
  const select = database
    .prepare(
      `select users.id, email, metadata, created_at,
         (select json_group_array(role_name) from user_roles where user_id = users.id)
       from live_sessions join users on users.id = user_id
       where live_sessions.id = ? limit 1`,
    )
    .raw();
  let turn = 0;
  return () => {
    turn = (turn + 1) % USERS;
    const [id, email, metadata, createdAt, roles] = select.get([sessions[turn]]) as string[];
    return {
      id,
      email,
      metadata: JSON.parse(metadata ?? ''),
      createdAt,
      roles: JSON.parse(roles ?? ''),
    };
  };
}
