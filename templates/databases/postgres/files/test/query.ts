import pg from 'pg';

const CONNECTION_WAIT_MS = 5_000;

/** Runs one statement, or several without values, on a connection of its own. @returns the rows of a single one */
export async function query<Row>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return connected(url, async (client) => (await client.query(text, values)).rows);
}

/** Runs `work` with a connection that is closed afterwards. */
export async function connected<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECTION_WAIT_MS,
  });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
