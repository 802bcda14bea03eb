import { PGlite } from '@electric-sql/pglite';
import { serveWire, type WireServer } from './pglite-wire.js';
import type { TestDatabase, TestServer } from './test-server.js';

/** To start one takes a second, to empty one a few milliseconds: tests of a file use them again. */
const idle: PGlite[] = [];

const running = new Map<string, WireServer>();

/** PostgreSQL inside of this process. It is reached over a socket on loopback, as a real server is. */
export const pgliteServer: TestServer = {
  isInProcess: true,
  async createDatabase(): Promise<TestDatabase> {
    const db = idle.pop() ?? (await PGlite.create());
    const server = await serveWire(db);
    const url = `postgres://postgres:postgres@127.0.0.1:${server.port}/postgres`;
    running.set(url, server);
    return {
      url,
      async drop() {
        running.delete(url);
        await server.close();
        await db.exec('drop schema public cascade; create schema public');
        await db.exec('discard all');
        idle.push(db);
      },
    };
  },
  // They end with this process.
  listDatabases: async () => [],
  async dropDatabase() {},
  async disconnectAll(url) {
    await running.get(url)?.disconnectAll();
  },
};
