import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { compare, type Load } from '../load.js';
import { milliseconds, type Row, timesOf } from '../report.js';
import { type Server, workFolder } from '../server.js';
import { adminCookies, frameworks, startService } from '../service.js';

const few = 1_000;
const many = 100_000;
const goals = { cpuMs: 30, times: 1.1 };
/** The newest users, and the few percent that a filter finds. */
const queries = { all: '', unverified: '?unverified=true', disabled: '?disabled=true' };

/** CPU time of the panel's page of users: with 1,000 users and with 100,000, which must cost the same. */
export async function measureUsersPage(load: Load, rounds: number): Promise<Row[]> {
  await using small = await startWith(few);
  await using large = await startWith(many);
  const rows: Row[] = [];
  for (const [name, query] of Object.entries(queries)) {
    const ask = ({ server, cookie }: typeof small) => ({
      server,
      requests: [
        { method: 'GET' as const, path: `/admin/users${query}`, headers: { Cookie: cookie } },
      ],
    });
    const contestants = { small: ask(small), large: ask(large) };
    const costs = await compare(load, contestants, { rounds, count: 1_000, seconds: 3 });
    const [ours, against] = [costs.large.cpu / 1_000, costs.small.cpu / 1_000];
    rows.push({
      measure: `users page (${name}), ${many} users against ${few}`,
      ours: milliseconds(ours),
      against: milliseconds(against),
      result: timesOf(ours / against),
      goal: `≤ ${goals.times} ×, ≤ ${milliseconds(goals.cpuMs)}`,
      isMet: ours <= goals.cpuMs && ours / against <= goals.times,
    });
  }
  return rows;
}

async function startWith(
  users: number,
): Promise<AsyncDisposable & { server: Server; cookie: string }> {
  const file = join(workFolder, `users-${users}.db`);
  await rm(file, { force: true });
  const variables = { DATABASE_URL: `file:${file}` };
  const server = await startService(frameworks[0], { variables });
  addUsers(file, users);
  const cookie = await adminCookies(server.port);
  const address = `http://127.0.0.1:${server.port}/admin/users`;
  const page = await fetch(address, { headers: { cookie }, redirect: 'manual' });
  if (page.status !== 200) throw new Error(`The users page answers ${page.status}.`);
  return { server, cookie, [Symbol.asyncDispose]: server[Symbol.asyncDispose] };
}

/** One in fifty is unverified, and one in fifty disabled. */
function addUsers(file: string, count: number): void {
  const db = new Database(file);
  db.exec(`
    begin;
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into users
      (id, email, email_verified_at, login_provider, metadata, disabled_at, created_at)
    select 'bench-' || i, 'user-' || i || '@example.com', iif(i % 50 = 0, null, 1), 'local',
      '{"name":"Ada Lovelace"}', iif(i % 50 = 1, 1, null), 1700000000000 + i from n;
    insert into user_roles (user_id, role_name, assigned_at)
    select id, 'user', created_at from users where id like 'bench-%';
    commit;
    analyze;
  `);
  db.close();
}
