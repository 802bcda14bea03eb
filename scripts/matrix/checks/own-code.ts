import { problemOf } from '../child.js';
import type { Emitted } from './check.js';

/** Strict types, unused code included: also those of its build. */
export async function typeChecks({ folder }: Emitted): Promise<string | undefined> {
  return (
    (await problemOf(folder, ['tsc', '-p', 'tsconfig.json'])) ??
    (await problemOf(folder, ['tsc', '-p', 'tsconfig.build.json', '--noEmit']))
  );
}

/** Lint, format and import order by the configuration that the service brings. */
export function isLintedAndFormatted({ folder }: Emitted): Promise<string | undefined> {
  const limits = ['--max-diagnostics=50', '--colors=off'];
  return problemOf(folder, ['biome', 'check', '--error-on-warnings', ...limits, '.']);
}

/** The tests that the service brings. */
export function passesItsTests({ folder, workers }: Emitted): Promise<string | undefined> {
  return problemOf(folder, ['vitest', 'run', `--maxWorkers=${workers}`], { NO_COLOR: '1' });
}
