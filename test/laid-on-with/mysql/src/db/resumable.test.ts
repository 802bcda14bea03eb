import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { openTestDatabase } from '../../test/service.js';
import { resumable } from './sql.js';

it('rows that a run changed before it failed are not changed again', async () => {
  const { db } = await openTestDatabase();
  let fails = true;
  const migration = resumable('20990101_points', {
    async up(points: Kysely<{ points: { name: string; count: number } }>) {
      await sql`create table points (name varchar(9), count integer)`.execute(points);
      await points.insertInto('points').values({ name: 'ada', count: 1 }).execute();
      for (const { name, count } of await points.selectFrom('points').selectAll().execute()) {
        const more = points.updateTable('points').set({ count: count + 1 });
        await more.where('name', '=', name).execute();
      }
      if (fails) throw new Error('It fails.');
      await points.schema.alterTable('points').addColumn('last', 'integer').execute();
    },
  });
  const run = () => db.connection().execute((connection) => migration.up(connection));
  await expect(run()).rejects.toThrow('It fails.');
  await expect(run()).rejects.toThrow('It fails.');
  fails = false;
  await run();
  const { rows } = await sql`select * from points`.execute(db);
  expect(rows).toEqual([{ name: 'ada', count: 2, last: null }]);
});
