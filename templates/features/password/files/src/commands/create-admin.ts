import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { adminPassword, newPassword } from '../features/password/password.js';
import { passwordProblem } from '../policy.js';
import type { Services } from '../services.js';
import { onlyEmail } from './command.js';

// The password is no argument: every user of the machine can read those, and shells keep them.
const FROM_INPUT = '--password-stdin';

export const createUsage = `create <email> [${FROM_INPUT}]
      creates an administrator; asks for the password, or reads it from standard input`;

/** Reads the arguments of `admin create`, and the password. Throws if that is refused. */
export async function readNewAdmin(services: Services, args: string[]) {
  const email = onlyEmail(args.filter((each) => each !== FROM_INPUT));
  const password = args.includes(FROM_INPUT) ? await readPassword() : await askPassword();
  const addCredential = await passwordCredential(services, email, 'This password', password);
  return { email, addCredential };
}

/** BOOTSTRAP_ADMIN_PASSWORD for the first administrator; without it the account waits for its first reset link. */
export async function bootstrapCredential(services: Services, email: string) {
  const name = 'BOOTSTRAP_ADMIN_PASSWORD';
  const password = services.config[name];
  return password ? passwordCredential(services, email, name, password) : undefined;
}

/** Hashes a password, and returns a function that saves it. Throws, naming `which`, if it is refused. */
async function passwordCredential(
  services: Services,
  email: string,
  which: string,
  password: string,
) {
  const parsed = adminPassword.safeParse(password);
  const problem =
    parsed.error?.issues[0]?.message ?? (await passwordProblem(password, { services, email }));
  if (problem) throw new Error(`${which} is not allowed. ${problem}`);
  return newPassword(services, password);
}

/** All of standard input, without the line break at its end. */
async function readPassword(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}

/** Asks twice at the terminal, without echo. Throws without a terminal, or if the two differ. */
async function askPassword(): Promise<string> {
  if (!process.stdin.isTTY) throw new Error(`There is no terminal: use ${FROM_INPUT}.`);
  const password = await ask('Password: ');
  if (password !== (await ask('Again: '))) throw new Error('The two passwords differ.');
  return password;
}

async function ask(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(question);
  try {
    for await (const line of terminal) return line;
    // Ctrl-C and Ctrl-D close it.
    throw new Error('Interrupted: nothing was changed.');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
