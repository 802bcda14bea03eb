import { expect, test } from 'vitest';
import { nativeClient } from '../client.js';
import type { TestService } from '../service.js';
import { signInAs, startSignedIn } from '../sign-in-as.js';
import { atLastStep, startWithFlows } from './flow.js';
import { fill, routesOf } from './route-table.js';

/** Far less than any deliberately slow work, such as the hash of what somebody knows. */
const SAME_MS = 40;

/** Every table with its rows. */
async function contentOf({ services: { db } }: TestService) {
  const tables = await db.introspection.getTables();
  return Promise.all(
    tables.map(async ({ name, columns }) => ({
      name,
      columns: columns.map((column) => column.name),
      rows: (await db
        .selectFrom(name as 'users')
        .selectAll()
        .execute()) as Record<string, unknown>[],
    })),
  );
}

/** What identifies the first row of each table. */
async function identifiersIn(service: TestService): Promise<string[][]> {
  const tables = await contentOf(service);
  return tables.flatMap(({ columns, rows }) => {
    const identifying = columns.filter((column) => /(^|_)(id|name|provider)$/.test(column));
    return rows.slice(0, 1).map((row) => identifying.map((column) => String(row[column])));
  });
}

test("F-21 CVE-2026-4630, better-auth #9991 #9974 class refused: somebody else's id is as unknown as one that never was", async () => {
  const { service, flows } = await startWithFlows();
  for (const flow of flows) await (await atLastStep(service, flow)).send();
  const rows = await identifiersIn(service);
  const pairs = rows.flatMap((row) => row.flatMap((id) => row.map((other) => [id, other])));
  const { accessToken } = await signInAs(service);
  const mallory = nativeClient({ ...service, prefix: '' }, accessToken);
  for (const { method, path, access } of routesOf(service)) {
    const parameters = path.split('{').length - 1;
    if (access === 'public' || parameters === 0) continue;
    const ask = async (...ids: string[]) => {
      const body = method === 'GET' ? undefined : {};
      const start = performance.now();
      const answer = await mallory.send(method, fill(path, ...ids), body);
      return { says: [method, path, answer.status, answer.body], ms: performance.now() - start };
    };
    /** In ms. The fastest of several, because other work on the machine only adds delay. */
    const quickest = async (times: number, ...ids: string[]) => {
      const taken: number[] = [];
      for (let nth = 0; nth < times; nth++) taken.push((await ask(...ids)).ms);
      return Math.min(...taken);
    };
    const unknown = await ask('never-was');
    expect([403, 404]).toContain(unknown.says[2]);
    const usual = await quickest(3, 'never-was');
    const tried = parameters === 1 ? new Set(rows.flat()) : pairs;
    for (const ids of [...tried].map((each) => [each].flat())) {
      const { says, ms } = await ask(...ids);
      expect([ids, says]).toEqual([ids, unknown.says]);
      const isSlow = ms > usual + SAME_MS && (await quickest(5, ...ids)) > usual + SAME_MS;
      expect([ids, isSlow]).toEqual([ids, false]);
    }
  }
});

test('F-35 better-auth #9965 class refused: no column can be written through a profile', async () => {
  const { service, client } = await startSignedIn();
  const stored = async () => {
    const tables = await contentOf(service);
    return tables.filter(({ name }) => !/rate_limits|sessions/.test(name));
  };
  const before = await stored();
  const fields = before.flatMap(({ name, columns }) => [
    ...columns,
    ...columns.map((each) => `${name}.${each}`),
  ]);
  const claims = Object.keys((await client.get('/me')).body);
  for (const field of new Set([
    ...fields,
    ...claims,
    'impersonatedBy',
    '__proto__',
    'constructor',
  ])) {
    if (field === 'name') continue;
    for (const value of ['"admin"', '1', 'null', '{"role":"admin"}']) {
      const { status } = await client.patch('/profile', `{${JSON.stringify(field)}:${value}}`);
      expect([field, status]).toEqual([field, 400]);
    }
  }
  await client.patch('/profile', { name: { role: 'admin' } });
  expect(await stored()).toEqual(before);
});
