import type pg from 'pg';
import { connected } from './query.js';

interface Table {
  /** Quoted where it must be. */
  name: string;
  columns: string;
}

/**
 * Notes the tables of a database and their rows. @returns what makes the rows again what they were; it answers false,
 * and the database is not to be used any more, if a test has changed the tables
 */
export async function noteContent(url: string): Promise<() => Promise<boolean>> {
  const { tables, rows } = await connected(url, async (client) => {
    const tables = await tablesOf(client);
    return { tables, rows: await rowsOf(client, tables) };
  });
  // What refers to a table is younger than the table.
  const deleteAll = tables.map(({ name }) => `delete from ${name}`).reverse();

  return () =>
    connected(url, async (client) => {
      if (JSON.stringify(await tablesOf(client)) !== JSON.stringify(tables)) return false;
      await client.query(deleteAll.join('; '));
      for (const [name, json] of rows) {
        const noted = `select * from json_populate_recordset(null::${name}, $1)`;
        await client.query(`insert into ${name} ${noted}`, [json]);
      }
      return true;
    });
}

/** All tables, oldest first, each with its columns and their types. */
async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select pg_class.oid::regclass::text as name,
      string_agg(attname || ' ' || atttypid::regtype, ', ' order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    group by pg_class.oid order by pg_class.oid`);
  return rows;
}

/** The rows of all tables that are not empty, as JSON, by table. */
async function rowsOf(client: pg.Client, tables: Table[]): Promise<[string, string][]> {
  const noted: [string, string][] = [];
  for (const { name } of tables) {
    const all = `select json_agg(${name})::text as json from ${name}`;
    const { rows } = await client.query<{ json: string | null }>(all);
    const json = rows[0]?.json;
    if (json) noted.push([name, json]);
  }
  return noted;
}
