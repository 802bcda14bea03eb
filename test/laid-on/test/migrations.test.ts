import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { emptyDatabaseEnvironment } from './service.js';

const execute = promisify(execFile);

test('of several processes that start at once one runs a migration', async () => {
  // Vitest sets a variable BASE_URL of its own.
  const env = { ...process.env, BASE_URL: '', ...(await emptyDatabaseEnvironment()) };
  const migrate = ['dist/migrate.js', 'up'];
  const runs = await Promise.all([1, 2, 3].map(() => execute(process.execPath, migrate, { env })));
  const outputs = runs.map(({ stdout }) => stdout.trim());
  expect(outputs.filter((output) => output === 'Nothing to do.')).toHaveLength(2);
  expect(outputs.filter((output) => output.startsWith('up '))).toHaveLength(1);
});
