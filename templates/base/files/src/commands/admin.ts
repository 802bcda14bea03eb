import { disableUser } from '../session/end-session.js';
import { type Account, ADMIN_ROLE, giveRole } from '../users/account.js';
import { createAdmin } from './administrators.js';
import { accountNamed, print, runCommands } from './command.js';
import { createUsage } from './create-admin.js';

const USAGE = `Usage: npm run admin -- <command>

  ${createUsage}
  promote <email>
      gives the role admin to an account that exists
  disable <email>, enable <email>
      disables an account and ends its sessions; enables it again
  list [<part of an address>]
      lists all accounts, or those whose address has the part, the oldest first`;

const PAGE = 100;

await runCommands('admin', USAGE, {
  create: createAdmin,

  async promote({ services, args, commit }) {
    const { id, email } = await accountNamed(services, args);
    const details = { role: ADMIN_ROLE };
    const isNew = await commit({ target: id, details }, (tx, cause) =>
      giveRole(tx, id, ADMIN_ROLE, cause),
    );
    print(`${email} is an administrator ${isNew ? 'now' : 'already'}.`);
  },

  async disable({ services, args, commit }) {
    const { id, email } = await accountNamed(services, args);
    const isNew = await commit({ target: id }, (tx, cause) => disableUser(tx, id, cause));
    print(`${email} is disabled ${isNew ? 'now' : 'already'}.`);
  },

  async enable({ services, args, commit }) {
    const { id, email } = await accountNamed(services, args);
    const isNew = await commit({ target: id }, (tx) => tx.users.setDisabled(id, null));
    print(`${email} is enabled ${isNew ? 'now' : 'already'}.`);
  },

  async list({ services: { users }, args: [filter] }) {
    for (let offset = 0; ; offset += PAGE) {
      const page = await users.list({ limit: PAGE, offset, filter });
      for (const account of page) print(lineOf(account));
      if (page.length < PAGE) return;
    }
  },
});

/** Id, address, roles, time of creation, and whether it is disabled. */
function lineOf({ user: { id, email, createdAt, disabledAt }, roles }: Account): string {
  const created = new Date(createdAt).toISOString();
  const state = disabledAt === null ? [] : ['disabled'];
  return [id, email, roles.names.join(',') || '-', created, ...state].join('  ');
}
