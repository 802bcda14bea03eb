import { expect, test } from 'vitest';
import { disableUser } from '../../src/session/end-session.js';
import { type Client, nativeClient } from '../client.js';
import { startTestService, type TestService } from '../service.js';
import { type SignedIn, signInAs, startSignedIn } from '../sign-in-as.js';
import { atLastStep, fill, routesOf, startWithFlows } from './flow.js';

/** Far less than any deliberately slow work, such as hashing. */
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

/** The identifiers of the first row of each table. */
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
    const quickest = async (times: number, ids: string[], enough = 0) => {
      let ms = Number.POSITIVE_INFINITY;
      for (let nth = 0; nth < times && ms > enough; nth++)
        ms = Math.min(ms, (await ask(...ids)).ms);
      return ms;
    };
    const unknown = await ask('never-was');
    expect([403, 404]).toContain(unknown.says[2]);
    const same = (await quickest(3, ['never-was'])) + SAME_MS;
    const tried = parameters === 1 ? new Set(rows.flat()) : pairs;
    for (const ids of [...tried].map((each) => [each].flat())) {
      const { says, ms } = await ask(...ids);
      expect([ids, says]).toEqual([ids, unknown.says]);
      const isSlow = ms > same && (await quickest(100, ids, same)) > same;
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
  const all = new Set([...fields, ...claims, 'impersonatedBy', '__proto__', 'constructor']);
  all.delete('name');
  for (const value of ['"admin"', '1', 'null', '{"role":"admin"}']) {
    const body = [...all].map((field) => `${JSON.stringify(field)}:${value}`).join();
    expect([value, (await client.patch('/profile', `{${body}}`)).status]).toEqual([value, 200]);
  }
  await client.patch('/profile', { name: { role: 'admin' } });
  expect(await stored()).toEqual(before);
});

/** Ways to end a session, by its owner, an administrator or the service itself. */
const ends: Record<string, (service: TestService, person: SignedIn) => Promise<unknown>> = {
  'signing out': (_service, { client }) => client.post('/logout'),
  'ending it in the list': (_service, { client, sessionId }) =>
    client.delete(`/sessions/${sessionId}`),
  'disabling the account': ({ services }, { user }) => disableUser(services, user.id, {}),
  'deleting the account': ({ services }, { user }) => services.users.delete(user.id),
};

const isSignedIn = async (client: Client) => (await client.get('/me')).status === 200;
const refresh = (service: TestService, refreshToken: string) =>
  nativeClient(service).post('/refresh', { refreshToken });

test('F-23 litellm CVE-2026-35030 class refused: tokens that differ in one part only are told apart', async () => {
  const service = await startTestService();
  const [ada, bob] = [await signInAs(service), await signInAs(service)];
  // From here on both access tokens are remembered as verified.
  for (const { client } of [ada, bob]) expect(await isSignedIn(client)).toBe(true);
  const [one, two] = [ada.accessToken.split('.'), bob.accessToken.split('.')];
  for (let pick = 1; pick < 7; pick++) {
    const mixed = one.map((part, at) => ((pick >> at) & 1 ? two[at] : part)).join('.');
    const isWhole = [ada.accessToken, bob.accessToken].includes(mixed);
    if (!isWhole)
      expect([pick, await isSignedIn(nativeClient(service, mixed))]).toEqual([pick, false]);
  }
  for (const cut of [-1, -10, -43]) {
    expect(await isSignedIn(nativeClient(service, ada.accessToken.slice(0, cut)))).toBe(false);
  }
});

test('F-24 better-auth #9967 class refused: a session that one instance ends is dead at the next request to another', async () => {
  const service = await startTestService();
  const other = await startTestService(service.environment);
  for (const [how, end] of Object.entries(ends)) {
    const person = await signInAs(service);
    const elsewhere = nativeClient(other, person.accessToken);
    expect([how, await isSignedIn(elsewhere)]).toEqual([how, true]);
    await end(service, person);
    expect([how, await isSignedIn(elsewhere)]).toEqual([how, false]);
    expect((await refresh(other, person.refreshToken)).status).toBe(401);
  }
  const admin = await signInAs(service, { role: 'admin' });
  const elsewhere = nativeClient(other, admin.accessToken);
  expect((await elsewhere.post('/sessions/cleanup')).status).toBe(200);
  const roles = service.services.db.deleteFrom('user_roles');
  await roles.where('user_id', '=', admin.user.id).execute();
  expect((await elsewhere.post('/sessions/cleanup')).status).toBe(403);
});

test('F-25 Supabase #2624 #2612 class refused: a refresh at the very moment a session ends leaves nothing alive', async () => {
  const service = await startTestService();
  for (const [how, end] of Object.entries(ends)) {
    for (let round = 0; round < 10; round++) {
      const person = await signInAs(service);
      const answers = await Promise.all([
        refresh(service, person.refreshToken),
        end(service, person),
        refresh(service, person.refreshToken),
      ]);
      for (const { body } of [{ body: person }, answers[0], answers[2]]) {
        expect([how, await isSignedIn(nativeClient(service, body.accessToken))]).toEqual([
          how,
          false,
        ]);
        expect((await refresh(service, String(body.refreshToken))).status).toBe(401);
      }
    }
  }
});
