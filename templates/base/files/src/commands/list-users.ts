import { parseArgs } from 'node:util';
import type { Services } from '../services.js';
import type { User } from '../users/user.js';
import { print } from './run-command.js';

const PAGE = 100;

/**
 * `admin list [part of an address]`: one line for each account: id, address, roles, time of
 * creation, whether disabled.
 */
export async function listUsers(services: Services, args: string[]): Promise<void> {
  const [filter] = parseArgs({ args, allowPositionals: true }).positionals;
  for (let offset = 0; ; offset += PAGE) {
    const users = await services.users.list({ limit: PAGE, offset, filter });
    for (const user of users) print(await lineOf(services, user));
    if (users.length < PAGE) return;
  }
}

async function lineOf(services: Services, user: User): Promise<string> {
  const account = await services.users.findAccount(user.id);
  const roles = account?.roles.names.join(',') ?? '';
  const created = new Date(user.createdAt).toISOString();
  return [user.id, user.email, roles || '-', created, user.disabledAt === null ? '' : 'disabled']
    .join('  ')
    .trimEnd();
}
