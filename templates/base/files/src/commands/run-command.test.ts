import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { testDatabaseEnvironment } from '../../test/open-test-database.js';

it('ends well if nobody reads to the end', async () => {
  // Vitest has a variable BASE_URL for itself.
  const env = { ...process.env, BASE_URL: '', ...(await testDatabaseEnvironment()) };
  const file = ['--import', 'tsx', 'src/commands/migrate.ts', 'status'];
  const child = spawn(process.execPath, file, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const ended = once(child, 'exit');
  const said = await text(child.stderr);
  expect(await ended, said).toEqual([0, null]);
});
