import type { Kysely } from 'kysely';

/** Drops an index, whose name is unique within the database. */
export async function dropIndex<DB>(db: Kysely<DB>, _table: string, name: string): Promise<void> {
  await db.schema.dropIndex(name).execute();
}
