import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { unpackPublished } from '../test/support/packed.js';

/**
 * Measures the command as npm publishes it. In a checkout it looks besides whether a template has been edited since the build,
 * which takes 15 ms or so.
 */
export async function withPublished<Result>(
  measure: (command: string) => Promise<Result>,
): Promise<Result> {
  const folder = await unpackPublished();
  try {
    return await measure(join(folder, 'package/bin/create-auth-service.js'));
  } finally {
    await rm(folder, { recursive: true });
  }
}
