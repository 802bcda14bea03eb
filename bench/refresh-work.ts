import { createSecretKey, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import Database from 'libsql';

/**
 * What no `/refresh` on this stack can do without: 1 verify, 2 signs, 1 select and 1 update by primary
 * key, with nothing around them.
 */
export function refreshWork(databaseFile: string): () => void {
  const key = createSecretKey(Buffer.from('limit-limit-limit-limit-limit-limit'));
  const sessionId = randomUUID();
  const userId = randomUUID();
  const origin = 'http://127.0.0.1:3000';
  const refreshClaims = { sub: userId, sid: sessionId, typ: 'refresh', iss: origin, aud: origin };
  const accessClaims = {
    ...refreshClaims,
    typ: 'access',
    email: 'user-0@example.com',
    role: 'user',
    loginProvider: 'local',
    isEmailVerified: false,
    isTotpEnabled: false,
  };

  const database = new Database(databaseFile);
  database.exec('pragma journal_mode = wal; pragma synchronous = normal;');
  database.exec(
    'create table sessions (id text primary key, user_id text, refresh_id text, rotated_at integer, expires_at integer, user_agent text)',
  );
  database
    .prepare('insert into sessions values (?, ?, ?, ?, ?, ?)')
    .run([sessionId, userId, randomUUID(), Date.now(), Date.now() + 1e9, 'bench']);
  const select = database.prepare('select * from sessions where id = ?');
  const update = database.prepare(
    'update sessions set refresh_id = ?, rotated_at = ? where id = ?',
  );

  const sign = (claims: object) =>
    jwt.sign({ ...claims, jti: randomUUID() }, key, { algorithm: 'HS256', expiresIn: 900 });
  const token = sign(refreshClaims);
  return () => {
    jwt.verify(token, key, { algorithms: ['HS256'], issuer: origin, audience: origin });
    select.all([sessionId]);
    update.run([randomUUID(), Date.now(), sessionId]);
    sign(accessClaims);
    sign(refreshClaims);
  };
}
