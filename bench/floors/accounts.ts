import { createSecretKey, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import Database from 'libsql';

/** The number of users that request `/me`. Where memory is compared there are none: making them leaves garbage. */
const users = Number(process.env.USERS ?? 1_000);
const rememberedTokens = 2_000;
const origin = 'http://127.0.0.1:3000';
const key = createSecretKey(Buffer.from('floor-floor-floor-floor-floor-floor'));
const checks = { algorithms: ['HS256' as const], issuer: origin, audience: origin };

interface Claims {
  sub: string;
  sid: string;
  jti: string;
  typ: string;
  /** In seconds. */
  exp: number;
}

/**
 * The minimum that a careful developer would write for `/me` and `/refresh`, without a framework: verify the token, look the
 * user of its session up with one prepared statement; to refresh, sign two tokens and update one row.
 */
export function openAccounts(file: string) {
  const database = new Database(file);
  database.exec(`
    pragma journal_mode = wal; pragma synchronous = normal;
    create table users (id text primary key, email text);
    create table sessions (id text primary key, user_id text, refresh_id text);
  `);
  const addUser = database.prepare('insert into users values (?, ?)');
  const addSession = database.prepare('insert into sessions values (?, ?, ?)');
  const select = database.prepare(
    'select users.id, email, refresh_id from sessions join users on users.id = user_id where sessions.id = ?',
  );
  const rotate = database.prepare('update sessions set refresh_id = ? where id = ?');
  const sign = (sub: string, sid: string, typ: string, jti: string) =>
    jwt.sign({ sub, sid, jti, typ, role: 'user' }, key, {
      expiresIn: '2h',
      issuer: origin,
      audience: origin,
    });
  const tokensOf = (sub: string, sid: string, refreshId: string) => ({
    accessToken: sign(sub, sid, 'access', randomUUID()),
    refreshToken: sign(sub, sid, 'refresh', refreshId),
  });
  // As the service does: a client sends its token again and again.
  const verified = new Map<string, Claims>();
  const claimsOf = (token: string) => {
    const known = verified.get(token);
    if (known && known.exp * 1000 > Date.now()) return known;
    const claims = jwt.verify(token, key, checks) as Claims;
    if (verified.size < rememberedTokens && claims.typ === 'access') verified.set(token, claims);
    return claims;
  };
  const sessionOf = (token: string, typ: string) => {
    const claims = claimsOf(token);
    const row = select.get([claims.sid]) as { id: string; email: string; refresh_id: string };
    if (claims.typ !== typ || !row) throw new Error('not signed in');
    return { claims, row };
  };
  return {
    /** One session's tokens for each user, as held by a client that has signed in. */
    tokens: Array.from({ length: users }, (_, index) => {
      const [userId, sessionId, refreshId] = [randomUUID(), randomUUID(), randomUUID()];
      addUser.run([userId, `user-${index}@example.com`]);
      addSession.run([sessionId, userId, refreshId]);
      return tokensOf(userId, sessionId, refreshId);
    }),
    /** @throws Error unless the header, `Authorization` or `Cookie`, holds the token of a session */
    me(header: string) {
      const token = /(?:Bearer |accessToken=)([\w.-]+)/.exec(header)?.[1] ?? '';
      const { row } = sessionOf(token, 'access');
      return { id: row.id, email: row.email, role: 'user' };
    },
    /** @throws Error unless it is the session's last refresh token */
    refresh(token: string) {
      const { claims, row } = sessionOf(token, 'refresh');
      if (claims.jti !== row.refresh_id) throw new Error('used already');
      const refreshId = randomUUID();
      rotate.run([refreshId, claims.sid]);
      return tokensOf(row.id, claims.sid, refreshId);
    },
  };
}
