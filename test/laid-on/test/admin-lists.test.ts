import { expect, test, vi } from 'vitest';
import { disableUser } from '../src/session/end-session.js';
import { addRole, startWithAdmin } from './administrator.js';
import { addEndpoint } from './receiver.js';
import { signInAs } from './sign-in-as.js';

test('a list is read to its end by cursors, each row once, whatever is added meanwhile', async () => {
  const { service, client } = await startWithAdmin();
  for (let count = 0; count < 5; count += 1) await signInAs(service);
  const read: string[] = [];
  let cursor = '';
  do {
    const { status, body } = await client.get(`/users?limit=2&cursor=${cursor}`);
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('total');
    read.push(...body.users.map(({ id }: { id: string }) => id));
    cursor = body.next;
    service.advance(1);
    await signInAs(service);
  } while (cursor !== null);
  expect([read.length, new Set(read).size]).toEqual([6, 6]);
});

test('short lists have cursors too', async () => {
  const { service, client } = await startWithAdmin();
  for (const name of ['a', 'b', 'c']) await addRole(service, name, []);
  const first = await client.get('/roles?limit=3&cursor=');
  const second = await client.get(`/roles?limit=3&cursor=${first.body.next}`);
  const names = [...first.body.roles, ...second.body.roles].map(({ name }) => name);
  expect(names).toEqual(['a', 'admin', 'b', 'c', 'user']);
  expect(second.body.next).toBeNull();
});

test('a list that cannot be streamed is refused as one by pages is', async () => {
  const { client } = await startWithAdmin();
  const refused = async (path: string) => {
    const { status, body } = await client.get(path);
    return [status, body.code];
  };
  expect(await refused('/users/nobody/sessions?format=ndjson')).toEqual([404, 'NOT_FOUND']);
  expect(await refused('/users?format=ndjson&cursor=x')).toEqual([400, 'VALIDATION_FAILED']);
});

test('a page by cursor and a stream have the fields that a page by offset has', async () => {
  const { service, client, accessToken } = await startWithAdmin();
  await addEndpoint(service, { url: 'http://127.0.0.1:1/', events: ['*'] });
  for (const list of ['users', 'sessions', 'roles', 'webhooks', 'audit']) {
    const [item] = (await client.get(`/${list}?limit=1`)).body[list];
    const [byCursor] = (await client.get(`/${list}?limit=1&cursor=`)).body[list];
    const stream = await fetch(`${service.url}/admin/api/${list}?format=ndjson`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    const [line = ''] = (await stream.text()).split('\n');
    for (const other of [byCursor, JSON.parse(line)]) {
      expect([list, Object.keys(other)]).toEqual([list, Object.keys(item)]);
    }
  }
});

test('attack: a cursor that was edited, made up or taken from another list is refused', async () => {
  const { service, client } = await startWithAdmin();
  await signInAs(service);
  const { next } = (await client.get('/users?limit=1&cursor=')).body;
  const ofSessions = (await client.get('/sessions?limit=1&cursor=')).body.next;
  const [text, signature] = next.split('.');
  const madeUp = Buffer.from(JSON.stringify([0, "' or 1=1 --"])).toString('base64url');
  const cursors = [
    ofSessions,
    `x${next}`,
    `${madeUp}.${signature}`,
    `${text}.`,
    text,
    '-1',
    'NaN',
    "'",
    'x'.repeat(10_000),
  ];
  for (const cursor of cursors) {
    const { status, body } = await client.get(`/users?cursor=${encodeURIComponent(cursor)}`);
    expect([cursor, status, body.code]).toEqual([cursor, 400, 'VALIDATION_FAILED']);
  }
});

test('sessions of all users are listed, and filtered by user, address and ip', async () => {
  const { service, client } = await startWithAdmin({}, { email: 'root@example.com' });
  const ada = await signInAs(service, { email: 'ada@example.com' });
  await signInAs(service, { email: 'ada@example.com' });
  expect((await client.get('/sessions')).body.total).toBe(3);
  for (const filter of [ada.user.id, 'ada@', 'ADA']) {
    const { body } = await client.get(`/sessions?filter=${filter}`);
    expect([filter, body.total]).toEqual([filter, 2]);
    expect(body.sessions[0]).toMatchObject({ userId: ada.user.id, email: 'ada@example.com' });
  }
  expect((await client.get('/sessions?filter=127.0.0')).body.total).toBe(3);
  expect((await client.get('/sessions?limit=1')).body).toMatchObject({ total: 3 });
});

test('attack: a stream of a list ends when its reader is disabled', async () => {
  const { service, client, user } = await startWithAdmin();
  const { auditLog } = service.services;
  for (let nth = 0; nth < 101; nth++) await auditLog.append({ action: 'example', details: {} });
  const read = auditLog.search;
  const search = vi.spyOn(auditLog, 'search').mockImplementationOnce(async (page) => {
    const found = await read(page);
    await disableUser(service.services, user.id, {});
    return found;
  });

  await client.get('/audit?format=ndjson').catch(() => undefined);

  expect(search).toHaveBeenCalledTimes(1);
});
