import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

const COMMANDS = new URL('../src/commands/', import.meta.url);

/** `npm run <name> -- …` on the service's database, with `input` on standard input. */
export function runCommand(
  { environment }: { environment: Record<string, string> },
  name: string,
  args: string[],
  input = '',
): Promise<{ code: number; stdout: string; stderr: string }> {
  const file = fileURLToPath(new URL(`${name}.ts`, COMMANDS));
  const command = ['--import', import.meta.resolve('tsx'), file, ...args];
  return new Promise((resolve) => {
    // In another folder, so that your `.env` has no effect.
    const surroundings = { cwd: tmpdir(), env: environment };
    const child = execFile(process.execPath, command, surroundings, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}
