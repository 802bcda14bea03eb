import { expect, test } from 'vitest';
import * as z from 'zod';
import { addRole } from '../administrator.js';
import { nativeClient } from '../client.js';
import { startTestService } from '../service.js';
import { signInAs, startSignedIn } from '../sign-in-as.js';
import { fill, isUnsafe, routesOf } from './flow.js';

const HOSTILE = [
  '-1',
  'NaN',
  '1e400',
  "' or 1=1 --",
  'x'.repeat(10_000),
  '\0',
  '[]',
  '__proto__',
  'tokenHash',
];

test('F-20 GHSA-hgx2-28f8-6g2r class refused: no page and no filter of a list reaches the database as it came', async () => {
  const { service, accessToken, user } = await startSignedIn({ role: 'admin' });
  const client = nativeClient({ ...service, prefix: '' }, accessToken);
  const lists = routesOf(service).filter(({ method, query }) => method === 'GET' && query);
  for (const { path, query } of lists) {
    const { properties = {} } = query ? z.toJSONSchema(query, { io: 'input' }) : {};
    for (const field of [...Object.keys(properties), 'sort', 'order']) {
      for (const value of HOSTILE) {
        const search = new URLSearchParams({ [field]: value });
        const { status } = await client.get(`${fill(path, user.id)}?${search}`);
        const mustRefuse = /^(limit|offset|cursor|sort|order)$/.test(field);
        const isSafe = status === 400 || (!mustRefuse && [200, 404].includes(status));
        const asked = [path, field, value.slice(0, 20)];
        expect([...asked, isSafe]).toEqual([...asked, true]);
      }
    }
  }
  expect(lists.length).toBeGreaterThan(3);
});

test('F-22 better-auth #9974, CVE-2026-27886, CVE-2026-72898 class refused: nobody acts on those who may do more, nor takes what they do not hold', async () => {
  const service = await startTestService();
  const admin = await signInAs(service, { role: 'admin' });
  await signInAs(service, { role: 'admin' });
  await addRole(service, 'boss', ['settings:write', 'users:write']);
  const email = 'new@example.com';
  const gain = { email, role: 'admin', name: 'mine', permissions: ['*:*'], ids: [admin.user.id] };
  let tried = 0;
  for (const { method, path, permission = '' } of routesOf(service).filter(isUnsafe)) {
    if (!/^(users|roles):write$/.test(permission)) continue;
    await addRole(service, `only ${tried}`, [permission]);
    const { accessToken } = await signInAs(service, { role: `only ${tried}` });
    const client = nativeClient({ ...service, prefix: '' }, accessToken);
    const id = path.includes('/roles/{name}') && !path.includes('{id}') ? 'boss' : admin.user.id;
    const answer = await client.send(method, fill(path, id, 'admin'), { ...gain, act: 'delete' });
    const outcome = answer.body.results?.[0]?.code ?? answer.body.code;
    expect([method, path, outcome]).toEqual([method, path, 'FORBIDDEN']);
    tried += 1;
  }
  expect(tried).toBeGreaterThan(5);
  expect((await admin.client.get('/me')).body.permissions).toContain('*:*');
  expect(await service.services.users.findByEmail(email)).toBeUndefined();
});
