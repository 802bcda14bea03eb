import { join } from 'node:path';

/** A fresh database for one test: a file in `folder`, deleted with it. */
export async function testDatabase(folder: string) {
  return {
    environment: { DATABASE_URL: `file:${join(folder, 'auth.db')}` },
    async drop() {},
  };
}
