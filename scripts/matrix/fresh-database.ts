import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFrom } from './compiler.js';

/** An empty database for an emitted service, created as its own tests create theirs. */
export interface FreshDatabase {
  environment: Record<string, string>;
  drop(): Promise<void>;
}

interface TestDatabases {
  emptyDatabase(
    folder: string,
  ): Promise<Pick<FreshDatabase, 'environment'> & { release(): Promise<void> }>;
}

/** @throws Error if there is no server for the service's database */
export async function freshDatabase(serviceFolder: string): Promise<FreshDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'matrix-'));
  const { emptyDatabase } = await importFrom<TestDatabases>(serviceFolder, 'test/database.ts');
  const { environment, release } = await emptyDatabase(folder);
  return {
    environment,
    async drop() {
      await release();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
