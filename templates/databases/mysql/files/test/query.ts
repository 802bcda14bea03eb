import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';

/** Runs one statement on a connection of its own. */
export async function query<Row>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return connected(url, (connection) => selectRows<Row>(connection, text, values));
}

/** Runs `work` with a connection, which may be sent several statements at once and is closed afterwards. */
export async function connected<T>(
  url: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await createConnection({ uri: url, multipleStatements: true });
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}

/** The rows that a single statement yields. */
export async function selectRows<Row>(
  connection: Connection,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const [rows] = await connection.query<(Row & RowDataPacket)[]>(text, values);
  return rows;
}
