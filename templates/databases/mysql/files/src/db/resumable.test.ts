import { type Kysely, type Migration, sql } from 'kysely';
import { expect, it } from 'vitest';
import { openTestDatabase } from '../../test/open-test-database.js';
import { resumable } from './resumable.js';

const NAME = '20990101_points';

type PointsDb = Kysely<{ points: { name: string; count: number } }>;

/** Makes a table with a row, adds to its count, and then does `rest`. */
function pointsMigration(rest: (db: PointsDb) => Promise<void>, type = 'varchar(9)'): Migration {
  return resumable(NAME, {
    async up(db: PointsDb) {
      await sql`create table points (name ${sql.raw(type)}, count integer)`.execute(db);
      await db.insertInto('points').values({ name: 'ada', count: 1 }).execute();
      for (const { name } of await db.selectFrom('points').select('name').execute()) {
        await db
          .updateTable('points')
          .set(({ eb }) => ({ count: eb('count', '+', 1) }))
          .where('name', '=', name)
          .execute();
      }
      await rest(db);
    },
  });
}

const fails = async () => {
  throw new Error('It fails.');
};

it('rows that a run changed before it failed are not changed again', async () => {
  const { db } = await openTestDatabase();
  const failing = pointsMigration(fails);
  await expect(failing.up(db)).rejects.toThrow('It fails.');
  await expect(failing.up(db)).rejects.toThrow('It fails.');
  const mended = pointsMigration(async (points) => {
    await points.schema.alterTable('points').addColumn('last', 'integer').execute();
  });
  await mended.up(db);
  const { rows } = await sql`select * from points`.execute(db);
  expect(rows).toEqual([{ name: 'ada', count: 2, last: null }]);
});

it.each<[string, Migration]>([
  ['says something else', pointsMigration(async () => {}, 'varchar(10)')],
  ['says less', resumable(NAME, { up: async () => {} })],
])('a migration that failed and by now %s is refused', async (_what, changed) => {
  const { db } = await openTestDatabase();
  await expect(pointsMigration(fails).up(db)).rejects.toThrow('It fails.');
  await expect(changed.up(db)).rejects.toThrow(`Migration ${NAME} has changed`);
});
