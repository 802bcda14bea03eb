import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { hashPassword, passwordField } from '../features/password/password.js';
import { passwordProblem } from '../policy.js';
import type { Services } from '../services.js';
import { addAdmin, adminDue, commitAdmin, onlyEmail } from './administrators.js';
import type { CommandCall } from './command.js';

export const createUsage = `create <email> [--password-stdin]
      makes an account that holds the role admin; asks for its password, or reads it from stdin`;

/** `admin create <email>`. Throws if the password is refused or there is an account with that address. */
export async function createAdmin(call: CommandCall): Promise<void> {
  const { values, positionals } = parseArgs({
    args: call.args,
    allowPositionals: true,
    // A password is no argument: every user of the machine can read those, and shells keep them.
    options: { 'password-stdin': { type: 'boolean', default: false } },
  });
  const email = onlyEmail(positionals);
  const password = values['password-stdin'] ? await readPassword() : await askPassword();
  await commitAdmin(call, email, await passwordCredential(call.services, password));
}

/**
 * Makes the first administrator out of BOOTSTRAP_ADMIN_EMAIL and _PASSWORD if there is none. Called
 * at every start. Without a password the account waits for its first reset link.
 */
export async function bootstrapAdmin(services: Services): Promise<void> {
  const email = await adminDue(services);
  if (!email) return;
  const password = services.config.BOOTSTRAP_ADMIN_PASSWORD;
  await addAdmin(
    services,
    email,
    password ? await passwordCredential(services, password) : undefined,
  );
}

/** Hashes a password, and says how to save it. Throws if it is refused. */
async function passwordCredential({ config }: Services, password: string) {
  const parsed = passwordField.safeParse(password);
  const problem = parsed.error?.issues[0]?.message ?? (await passwordProblem(password));
  if (problem) throw new Error(`This password is not allowed. ${problem}`);
  // Before the transaction, which would keep the database locked for as long as the hash takes.
  const hash = await hashPassword(password, config.BCRYPT_COST);
  return (tx: Services, userId: string) => tx.password.save(userId, hash);
}

/** All of standard input, without the line break at its end. */
export async function readPassword(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}

/** Asks twice at the terminal, without showing what is typed. Throws if there is none, or they differ. */
export async function askPassword(): Promise<string> {
  if (!process.stdin.isTTY) throw new Error('No terminal to ask at: use --password-stdin.');
  const password = await ask('Password: ');
  if (password !== (await ask('Again: '))) throw new Error('The two are not the same.');
  return password;
}

async function ask(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(question);
  try {
    return await terminal.question('', { signal: interruption(terminal) });
  } catch {
    throw new Error('Interrupted: nothing was changed.');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

/** Ctrl-C and Ctrl-D end the question; readline by itself would wait for ever. */
function interruption(terminal: ReturnType<typeof createInterface>): AbortSignal {
  const controller = new AbortController();
  terminal.once('SIGINT', () => controller.abort());
  terminal.once('close', () => controller.abort());
  return controller.signal;
}
