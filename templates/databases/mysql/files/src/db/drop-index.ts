import type { Kysely } from 'kysely';

/** Drops an index, whose name is unique within its table. */
export async function dropIndex<DB>(db: Kysely<DB>, table: string, name: string): Promise<void> {
  await db.schema.dropIndex(name).on(table).execute();
}
