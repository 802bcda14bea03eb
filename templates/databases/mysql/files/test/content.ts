import type { Connection } from 'mysql2/promise';
import { connected, selectRows } from './query.js';

interface Column {
  table: string;
  name: string;
  type: string;
}

/**
 * Notes the tables of a database and their rows. @returns what makes the rows again what they were; it answers false,
 * and the database is not to be used any more, if a test has changed the tables
 */
export async function noteContent(url: string): Promise<() => Promise<boolean>> {
  const { columns, tables, rows } = await connected(url, async (connection) => {
    const columns = await columnsOf(connection);
    const tables = [...new Set(columns.map(({ table }) => table))];
    return { columns, tables, rows: await contentOf(connection, tables) };
  });
  const deleteAll = tables.map((table) => `delete from \`${table}\``);

  return () =>
    connected(url, async (connection) => {
      if (JSON.stringify(await columnsOf(connection)) !== JSON.stringify(columns)) return false;
      // In any order: rows that refer to others go as well.
      await connection.query(['set foreign_key_checks = 0', ...deleteAll].join('; '));
      for (const [table, values] of rows) {
        await connection.query('insert into ?? values ?', [table, values]);
      }
      return true;
    });
}

/** The columns of all tables. */
function columnsOf(connection: Connection): Promise<Column[]> {
  return selectRows<Column>(
    connection,
    `select table_name as \`table\`, column_name as name, column_type as type
    from information_schema.columns where table_schema = database()
    order by table_name, ordinal_position`,
  );
}

/** The rows of all tables that are not empty, each as a list of its values, by table. */
async function contentOf(
  connection: Connection,
  tables: string[],
): Promise<[string, unknown[][]][]> {
  const content: [string, unknown[][]][] = [];
  for (const table of tables) {
    const rows = await selectRows<object>(connection, 'select * from ??', [table]);
    if (rows.length > 0) content.push([table, rows.map((row) => Object.values(row))]);
  }
  return content;
}
