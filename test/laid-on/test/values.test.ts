import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { isMissingReference, isUniqueViolation } from '../src/db/errors.js';
import { contains } from '../src/db/pages.js';
import { insertUnlessTaken, jsonRows } from '../src/db/sql.js';
import { openTestDatabase } from './service.js';

/** What must be the same on every database. */
async function openWithRole() {
  const { db } = await openTestDatabase();
  const role = (name: string) => db.insertInto('roles').values({ name, permissions: '[]' });
  return { db, role };
}

it('a text with another case, accent, blank or letter is another text', async () => {
  const { db, role } = await openWithRole();
  const texts = ['editor', 'Editor', 'éditor', 'e\u0301ditor', 'editor ', '𝕖ditor', 'ss', 'ß'];
  for (const text of texts) expect(await insertUnlessTaken(role(text))).toBe(true);
  for (const text of texts) {
    const found = db.selectFrom('roles').select('name').where('name', '=', text);
    expect(await found.execute()).toEqual([{ name: text }]);
  }
});

it('sorts by code points, whatever the locale of the server', async () => {
  const { db, role } = await openWithRole();
  await db.deleteFrom('roles').execute();
  for (const name of ['b', 'a-c', 'ä', 'a b', 'B']) await role(name).execute();
  const sorted = await db.selectFrom('roles').select('name').orderBy('name').execute();
  expect(sorted.map(({ name }) => name)).toEqual(['B', 'a b', 'a-c', 'b', 'ä']);
});

it('finds part of a text in any case, and treats no character as a wildcard', async () => {
  const { db, role } = await openWithRole();
  for (const name of ['plan_editor', 'Plan_Editor', 'planner', '5%', '50', 'oh!', 'a\\b']) {
    await role(name).execute();
  }
  const namesWith = async (part: string) => {
    const found = db.selectFrom('roles').select('name');
    const rows = await found.where(({ ref }) => contains(ref('name'), part)).execute();
    return rows.map(({ name }) => name).sort();
  };
  expect(await namesWith('AN_ed')).toEqual(['Plan_Editor', 'plan_editor']);
  expect(await namesWith('_e')).toEqual(['Plan_Editor', 'plan_editor']);
  expect(await namesWith('5%')).toEqual(['5%']);
  expect(await namesWith('!')).toEqual(['oh!']);
  expect(await namesWith('a\\b')).toEqual(['a\\b']);
});

it('distinguishes a taken value from other failures', async () => {
  const { db, role } = await openWithRole();
  const orphan = db
    .insertInto('user_roles')
    .values({ user_id: 'nobody', role_name: 'admin', assigned_at: 0 });
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error) => error,
    );
  expect(isUniqueViolation(await failureOf(role('admin').execute()))).toBe(true);
  expect(isUniqueViolation(await failureOf(orphan.execute()))).toBe(false);
  expect(isMissingReference(await failureOf(insertUnlessTaken(orphan)))).toBe(true);
  expect(isMissingReference(await failureOf(role('admin').execute()))).toBe(false);
});

it('a transaction goes on after an insert that found its value taken', async () => {
  const { db } = await openWithRole();
  await db.transaction().execute(async (transaction) => {
    const insert = (name: string) =>
      insertUnlessTaken(transaction.insertInto('roles').values({ name, permissions: '[]' }));
    expect(await insert('admin')).toBe(false);
    expect(await insert('editor')).toBe(true);
  });
  expect(await db.selectFrom('roles').selectAll().execute()).toHaveLength(3);
});

it('of twenty parallel inserts of one value exactly one inserts', async () => {
  const { role } = await openWithRole();
  const inserts = Array.from({ length: 20 }, () => insertUnlessTaken(role('editor')));
  expect((await Promise.all(inserts)).filter(Boolean)).toHaveLength(1);
});

it('refuses what drivers would store as something else', async () => {
  const { db } = await openWithRole();
  for (const value of [undefined, 'admin\0nobody', Number.NaN, { name: 1 }]) {
    const named = db.selectFrom('roles').where('name', '=', value as string);
    await expect(named.selectAll().execute()).rejects.toThrow('The database cannot store this');
  }
});

it('times and counts are numbers, and a change counts the rows that it finds', async () => {
  const { db } = await openWithRole();
  const time = 8_640_000_000_000_000;
  await sql`insert into rate_limits values ('a', 1, ${time}), ('b', 2, null)`.execute(db);
  const { rows } = await sql`select expire, points from rate_limits order by points`.execute(db);
  expect(rows).toEqual([
    { expire: time, points: 1 },
    { expire: null, points: 2 },
  ]);
  const counted = await sql`select count(*) as count from rate_limits`.execute(db);
  expect(counted.rows).toEqual([{ count: 2 }]);
  // The same value again: the row still counts as found.
  const change = db.updateTable('roles').set({ permissions: '[]' }).where('name', '=', 'user');
  expect((await change.executeTakeFirst()).numUpdatedRows).toBe(1n);
});

it('aggregates rows into JSON of any size, uncut', async () => {
  const { db, role } = await openWithRole();
  const names = Array.from({ length: 30 }, (_, index) => `editor-${index}`);
  const permissions = JSON.stringify(['x'.repeat(50_000)]);
  for (const name of names) await role(name).execute();
  await db.updateTable('roles').set({ permissions }).execute();
  const { json } = await db
    .selectFrom('roles')
    .select(({ ref }) => jsonRows([ref('name'), ref('permissions')]).as('json'))
    .executeTakeFirstOrThrow();
  const rows = new Map<string, string>(JSON.parse(json));
  expect(names.map((name) => rows.get(name) === permissions)).toEqual(names.map(() => true));
});
