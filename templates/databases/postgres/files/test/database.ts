import { findServer } from './postgres-server.js';

/** True if two connections can work at the same time. */
export async function isParallel(): Promise<boolean> {
  return !(await findServer()).isInProcess;
}

/** Ends every connection to a test's database, as a restart of the server would. */
export async function disconnectAll(url: string): Promise<void> {
  await (await findServer()).disconnectAll(url);
}

/** A fresh database for one test. It is dropped with the test, whoever is still connected to it. */
export async function testDatabase(_folder: string) {
  const { url, drop } = await (await findServer()).createDatabase();
  // Few connections each, since many tests run at once on one server.
  return { environment: { DATABASE_URL: url, DATABASE_POOL_SIZE: '4' }, drop };
}
