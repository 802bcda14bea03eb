import type { Cause } from '../events/bus.js';
import type { Services } from '../services.js';
import { ADMIN_ROLE, openAccount } from '../users/account.js';
import { type CommandCall, print } from './command.js';
import { bootstrapCredential, readNewAdmin } from './create-admin.js';

interface NewAdmin {
  email: string;
  /** Adds the credential that the administrator signs in with. */
  addCredential?: ((tx: Services, userId: string) => Promise<void>) | undefined;
}

/**
 * Creates an account with the role admin. The address counts as proven: whoever may run this
 * vouches for it. False if the address already has an account: it is not promoted, since somebody
 * else may have registered it.
 */
export async function addAdmin(
  services: Services,
  { email, addCredential }: NewAdmin,
  cause: Cause = {},
): Promise<boolean> {
  return services.transaction(async (tx) => {
    const admin = { email, loginProvider: 'local', isEmailProven: true, role: ADMIN_ROLE };
    const user = await openAccount(tx, admin, cause, addCredential);
    if (!user) return false;
    const subject = { ...cause, userId: user.id };
    tx.events.publish('identity.role.assigned', { role: ADMIN_ROLE }, subject);
    return true;
  });
}

/** `admin create`. Throws if there is an account with that address. */
export async function createAdmin({ services, args, commit }: CommandCall): Promise<void> {
  const admin = await readNewAdmin(services, args);
  // The events of the same transaction name the account.
  const subject = { target: null, details: { role: ADMIN_ROLE } };
  const isNew = await commit(subject, (tx, cause) => addAdmin(tx, admin, cause));
  if (!isNew) throw new Error(`${admin.email} already has an account: promote it if it is yours.`);
  print(`${admin.email} is now an administrator.`);
}

/** Creates the first administrator from BOOTSTRAP_ADMIN_EMAIL if there is none. Called at every start. */
export async function bootstrapAdmin(services: Services): Promise<void> {
  const email = services.config.BOOTSTRAP_ADMIN_EMAIL;
  if (!email || (await services.userRoles.isHeld(ADMIN_ROLE))) return;
  if (await services.users.findByEmail(email)) {
    services.log.warn('BOOTSTRAP_ADMIN_EMAIL already has an account: promote it if it is yours');
    return;
  }
  await addAdmin(services, { email, addCredential: await bootstrapCredential(services, email) });
}
