import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { sayRemark } from './show.js';

/** Opens an account with the service's own command, where nobody can register. */
export async function createAccount(
  folder: string,
  { email, password }: { email: string; password: string },
): Promise<void> {
  const takesPassword = existsSync(join(folder, 'src/commands/ask-password.ts'));
  const flags = takesPassword ? ['--password-stdin'] : [];
  sayRemark(['npm run admin -- create', email, ...flags].join(' '));
  const args = ['--import', 'tsx', 'src/commands/admin.ts', 'create', email, ...flags];
  await execa(process.execPath, args, {
    cwd: folder,
    ...(takesPassword ? { input: password } : {}),
  });
}
