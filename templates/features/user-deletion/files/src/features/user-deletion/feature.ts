import { locked } from '../../db/sql.js';
import type { Cause } from '../../events/bus.js';
import { defineFeature, event } from '../../feature.js';
import { refuse } from '../../http/errors.js';
import type { Services } from '../../services.js';
import { endSessionsOfUser } from '../../session/end-session.js';
import { ADMIN_ROLE } from '../../users/account.js';

export const userDeletion = defineFeature({
  errors: {
    LAST_ADMIN: [409, 'The last administrator cannot be removed.'],
  },
  events: {
    'identity.user.deleted': event<{ source: 'self' | 'admin' }>(),
  },
});

/**
 * In a transaction: deletes a user with everything that belongs to them, since each table of a feature refers to
 * `users` with `on delete cascade`. Credentials are removed first, so that their events are published. Whoever
 * registers the address again inherits nothing.
 * False if there is no such user: a parallel request was first. Throws LAST_ADMIN.
 */
export async function deleteUser(
  tx: Services,
  userId: string,
  source: 'self' | 'admin',
  cause: Cause,
): Promise<boolean> {
  await requireOtherAdministrator(tx, userId);
  // A sign-in in progress either finishes before this, so that its session is ended below, or finds no user.
  if (!(await tx.users.lock(userId))) return false;
  await endSessionsOfUser(tx, cause, userId, 'account-deleted');
  for (const { credential } of tx.features) await credential?.forget?.(tx, userId, cause);
  await tx.users.delete(userId);
  tx.events.publish('identity.user.deleted', { source }, { ...cause, userId });
  return true;
}

const PERSONAL = /@|email|name|address|phone|agent|picture|metadata|account|^ip$/i;

/**
 * The data of an event or a log entry, at any depth without the fields that tell who somebody was, or from where. A
 * text that may be an address, which a script can put anywhere, becomes null.
 */
export function withoutPersonalData(data: unknown): unknown {
  if (typeof data === 'string' && data.includes('@')) return null;
  if (Array.isArray(data)) return data.map(withoutPersonalData);
  if (typeof data !== 'object' || data === null) return data;
  const kept = Object.entries(data).filter(([name]) => !PERSONAL.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutPersonalData(value)]));
}

/** In a transaction. Throws LAST_ADMIN if no other account with the role admin is enabled. */
export async function requireOtherAdministrator({ db }: Services, userId: string): Promise<void> {
  const holders = db.selectFrom('user_roles').where('role_name', '=', ADMIN_ROLE);
  const held = holders.select('user_id').where('user_id', '=', userId);
  // Others need not wait for each other.
  if (!(await held.executeTakeFirst())) return;
  // Locked: two administrators who remove each other, or themselves, at once must not both succeed.
  await locked(db.selectFrom('roles').select('name').where('name', '=', ADMIN_ROLE)).execute();
  const other = holders
    .innerJoin('users', 'users.id', 'user_roles.user_id')
    .select('user_id')
    .where('user_id', '!=', userId)
    .where('disabled_at', 'is', null);
  if (!(await other.limit(1).executeTakeFirst())) throw refuse('LAST_ADMIN');
}
