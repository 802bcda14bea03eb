import { isMigrated } from '../db/is-migrated.js';
import type { Services } from '../services.js';
import { refuse } from './errors.js';
import { isDefect, RETRY_AFTER_SECONDS } from './respond.js';

/**
 * What a failed request is answered with: while migrations are pending (MIGRATE_ON_START=off), a table that is
 * missing is no defect but a matter of time, which `/readyz` says as well.
 */
export async function unlessMigrationsArePending(
  { db }: Services,
  error: unknown,
): Promise<unknown> {
  if (!isDefect(error) || (await isMigrated(db).catch(() => true))) return error;
  return refuse('UNAVAILABLE', {
    message: 'Migrations are pending.',
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });
}
