import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { UserError } from '../../src/errors.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const demoFolder = join(root, 'playground', 'demo');

/**
 * Runs `create-auth-service` as people do, with the defaults and an installation; what an earlier run left is replaced.
 * @param flags further flags of `create`
 * @throws UserError if it fails
 */
export async function emitService(flags: string[]): Promise<void> {
  await rm(demoFolder, { recursive: true, force: true });
  const arguments_ = ['playground/demo', '--yes', '--no-git', ...flags];
  const result = await execa(process.execPath, ['bin/create-auth-service.js', ...arguments_], {
    cwd: root,
    // What npm has in its cache already is not asked for again.
    env: { npm_config_prefer_offline: 'true' },
    stdio: 'inherit',
    reject: false,
  });
  if (result.failed) {
    throw new UserError(`create-auth-service ended with exit code ${result.exitCode}.`);
  }
}
