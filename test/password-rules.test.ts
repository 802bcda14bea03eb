import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli, scratchFolder } from './support/cli.js';
import { readFiles } from './support/files.js';

// The specification: "Password complexity is not enforced by default. The integrator validates password strength …"

const NAME = 'password-rules';

async function made(...flags: string[]) {
  const cwd = scratchFolder();
  const quiet = ['--yes', '--no-install', '--no-git', '--quiet'];
  const { exitCode, stderr } = await runCli(['made', ...quiet, ...flags], { cwd });
  expect(exitCode, stderr).toBe(0);
  const folder = join(cwd, 'made');
  const policy = readFileSync(join(folder, 'src/policy.ts'), 'utf8');
  return { paths: Object.keys(readFiles(folder)), policy, folder };
}

test('by default a service has no rule for passwords: none of the layer is there, and its policy refuses nothing', async () => {
  const { paths, policy, folder } = await made();
  expect(paths).toContain('src/features/password/password.ts');
  expect(paths.filter((path) => path.includes(NAME))).toEqual([]);
  const manifest = JSON.parse(
    readFileSync(join(folder, '.create-auth-service/manifest.json'), 'utf8'),
  );
  expect(JSON.stringify(manifest)).not.toContain(NAME);
  const env = readFileSync(join(folder, '.env.example'), 'utf8');
  expect(env).not.toMatch(/PASSWORD_MIN_LENGTH|BREACHED_PASSWORDS_URL/);
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).not.toContain('zxcvbn');
  // The hook is there for the team to fill in.
  expect(policy).toMatch(/function passwordProblem\([^{]*\{\s*return undefined;\s*\}/);
});

test('the rules are offered, explained, and come when they are asked for', async () => {
  const { stdout } = await runCli(['list', '--json'], { cwd: scratchFolder() });
  const offered = JSON.stringify(JSON.parse(stdout));
  expect(offered).toContain(`"${NAME}"`);
  expect(offered).toMatch(/minimum length/);
  const { paths, policy } = await made('--features', `registration,${NAME}`);
  expect(paths).toContain(`src/features/${NAME}/feature.ts`);
  expect(policy).toContain('problemByRules');
});
