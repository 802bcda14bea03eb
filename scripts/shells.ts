import { installPackages } from './services/debian.js';
import { hasShell, testedShells } from './shells/has-shell.js';

/**
 * The shells that completions are tested in. Those which are there are used, others installed from Debian's packages.
 * Where that fails it is said, and in CI it is an error.
 */
const missing = testedShells.filter((shell) => !hasShell(shell));
try {
  if (missing.length > 0) await installPackages(missing);
  for (const shell of testedShells) console.log(`${shell}: ready`);
} catch (error) {
  console.error(`${missing.join(', ')}: not to be had. ${String(error)}`);
  if (process.env.CI) process.exitCode = 1;
}
