import { readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';

export const repositoryFolder = join(import.meta.dirname, '../..');

/** The command, as it was built. */
export const commandFile = join(repositoryFolder, 'bin/create-auth-service.js');

// A test runner and npm leave variables such as NODE_ENV, BASE_URL and PORT, which an emitted service would read.
const passedOn =
  /^(PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|COMSPEC|PATHEXT|LANG|TMPDIR|TEMP|TMP|CI|SSL_CERT_.*|NODE_EXTRA_CA_CERTS|(HTTPS?|NO)_PROXY|npm_config_(cache|registry|userconfig))$/i;

/** The variables of this process that locate things, and none that change what a program does. */
export function cleanEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => passedOn.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']));
}

/** How a program ended, and all that it printed. */
interface Ended {
  exitCode: number;
  text: string;
}

/**
 * Runs a program to its end without a terminal, with the tools of this repository on its path.
 * @param env joins the clean environment
 */
export async function runChild(
  folder: string,
  [file = '', ...args]: string[],
  env: Record<string, string> = {},
): Promise<Ended> {
  const result = await execa(file, args, {
    cwd: folder,
    env: { ...withTools(cleanEnvironment()), ...env },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    all: true,
  });
  const text = result.code === 'ENOENT' ? `${file} was not found` : (result.all ?? '');
  return { exitCode: result.exitCode ?? 1, text };
}

/** @returns what the program printed if it failed, else undefined */
export async function problemOf(
  folder: string,
  command: string[],
  env: Record<string, string> = {},
): Promise<string | undefined> {
  const { exitCode, text } = await runChild(folder, command, env);
  return exitCode === 0 ? undefined : `${command.join(' ')}: exit ${exitCode}\n${text}`;
}

/** Installs a package from the registry into a folder, without running its scripts. @throws Error with what npm printed */
export async function installInto(folder: string, wanted: string): Promise<void> {
  const options = ['--prefer-offline', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  const install = ['npm', 'install', '--loglevel=error', '--prefix', folder, ...options, wanted];
  const problem = await problemOf(repositoryFolder, install);
  if (problem) throw new Error(problem);
}

/** Paths of all files below a folder, sorted, with slashes. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

function withTools(env: Record<string, string>): Record<string, string> {
  const tools = join(repositoryFolder, 'node_modules/.bin');
  // This Node first: `npm test` under another version must not be checked with the system's.
  const path = [tools, dirname(process.execPath), env.PATH].join(delimiter);
  return { ...env, PATH: path };
}
