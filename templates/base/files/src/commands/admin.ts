import type { Cause } from '../events/bus.js';
import type { Services } from '../services.js';
import { disableUser } from '../session/end-session.js';
import { type Account, ADMIN_ROLE, giveRole } from '../users/account.js';
import type { User } from '../users/user.js';
import { createAdmin } from './administrators.js';
import { accountNamed, type Command, print, runCommands, warnOfStranger } from './command.js';
import { createUsage } from './create-admin.js';

const USAGE = `Usage: npm run admin -- <command>

  ${createUsage}
  promote <email>
      gives the role admin to an existing account
  disable <email>, enable <email>
      disables an account and ends its sessions; enables it again
  list
      lists all accounts, oldest first`;

const PAGE = 100;

await runCommands('admin', USAGE, {
  create: createAdmin,

  promote: onAccount(
    'an administrator',
    (tx, userId, cause) => giveRole(tx, userId, ADMIN_ROLE, cause),
    { role: ADMIN_ROLE },
    warnOfStranger,
  ),

  disable: onAccount('disabled', disableUser),

  enable: onAccount('enabled', (tx, userId) => tx.users.setDisabled(userId, null)),

  async list({ services: { users } }) {
    for (let offset = 0; ; offset += PAGE) {
      const page = await users.list({ limit: PAGE, offset });
      for (const account of page) print(lineOf(account));
      if (page.length < PAGE) return;
    }
  },
});

/** A command that changes one account; `change` returns false if there is nothing to change. */
function onAccount(
  state: string,
  change: (tx: Services, userId: string, cause: Cause) => Promise<boolean>,
  details = {},
  warn: (user: User) => void = () => {},
): Command {
  return async ({ services, args, commit }) => {
    const user = await accountNamed(services, args);
    warn(user);
    const { id, email } = user;
    const isNew = await commit({ target: id, details }, (tx, cause) => change(tx, id, cause));
    print(`${email} is ${isNew ? 'now' : 'already'} ${state}.`);
  };
}

/** Id, address, roles, time of creation, and whether it is disabled. */
function lineOf({ user: { id, email, createdAt, disabledAt }, roles }: Account): string {
  const created = new Date(createdAt).toISOString();
  const state = disabledAt === null ? [] : ['disabled'];
  return [id, email, roles.names.join(',') || '-', created, ...state].join('  ');
}
