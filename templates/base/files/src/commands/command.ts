import { userInfo } from 'node:os';
import { readConfig } from '../config.js';
import { migrateToLatest, pendingMigrations } from '../db/migrate.js';
import type { Act, Cause } from '../events/bus.js';
import { recordAct } from '../events/transactions.js';
import { loadEnvFile } from '../process/environment.js';
import { reasonOf } from '../process/log.js';
import { closeServices, createServices, type Services } from '../services.js';
import { emailField, type User } from '../users/user.js';

export type Command = (call: CommandCall) => Promise<void>;

/** Runs the command that the first argument of this process names: `npm run <name> -- <command>`. */
export async function runCommands(
  name: string,
  usage: string,
  commands: Record<string, Command>,
): Promise<void> {
  await runCommand(async ([which = '--help', ...args]) => {
    if ([which, ...args].some((arg) => arg === '--help' || arg === '-h')) return print(usage);
    const command = Object.hasOwn(commands, which) ? commands[which] : undefined;
    if (!command) throw new Error(`Unknown command.\n\n${usage}`);
    await withServices((services) => command(commandCall(services, `${name} ${which}`, args)));
  });
}

/** What a command works with; `action` is its name in the audit log. */
export function commandCall(services: Services, action: string, args: string[]) {
  const actor = `cli:${osUser()}`;
  return {
    services,
    args,
    /**
     * Runs a change in one transaction with its entry in the audit log. `work` returns false if there
     * was nothing to change: then there is no entry. `cause` is for the events that it publishes.
     */
    commit: (
      { target, details = {} }: { target: string | null; details?: Act['details'] },
      work: (tx: Services, cause: Cause) => Promise<boolean>,
    ): Promise<boolean> =>
      services.transaction(async (tx) => {
        const isChanged = await work(tx, { actor });
        if (isChanged) await recordAct(tx, { actor, action, target, details });
        return isChanged;
      }),
  };
}

export type CommandCall = ReturnType<typeof commandCall>;

/** The operating system's user who runs this process; in a container, it may have no name. */
function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Runs `command` with the arguments of this process. A failure prints its reason and sets exit code 1. */
export async function runCommand(command: (args: string[]) => Promise<void>): Promise<void> {
  // A reader such as `| head` may stop early: the work must not stop half-way with it.
  process.stdout.on('error', () => {});
  try {
    // Some package managers pass `--` on.
    await command(process.argv.slice(2).filter((arg) => arg !== '--'));
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = 1;
  }
}

/** Runs `work` on the service's database without listening; logs problems only. Throws if migrations are pending. */
async function withServices(work: (services: Services) => Promise<void>): Promise<void> {
  loadEnvFile(process.env);
  const services = await createServices({ ...readConfig(process.env), LOG_LEVEL: 'warn' });
  try {
    if (services.config.MIGRATE_ON_START) await migrateToLatest(services.db);
    const pending = await pendingMigrations(services.db);
    if (pending.length > 0) {
      throw new Error(
        'Migrations are pending. Run npm run migrate -- up first (built: node dist/migrate.js up).',
      );
    }
    await work(services);
  } finally {
    await closeServices(services);
  }
}

/** The one address among a command's arguments, in normal form. Throws if there is not exactly one. */
export function onlyEmail([email, ...others]: string[]): string {
  const parsed = emailField.safeParse(email);
  if (!parsed.success || others.length > 0) throw new Error('Give one email address.');
  return parsed.data;
}

/** The account of the one address among a command's arguments. Throws if there is none. */
export async function accountNamed({ users }: Services, args: string[]): Promise<User> {
  const email = onlyEmail(args);
  const user = await users.findByEmail(email);
  if (!user) throw new Error(`There is no account with the address ${email}.`);
  return user;
}

/** Anybody may have registered the address (pre-hijacking). */
export function warnOfStranger({ email, emailProvenAt }: User): void {
  if (emailProvenAt !== null) return;
  process.stderr.write(`Nobody has proven ${email} yet: a stranger may have registered it.\n`);
}
