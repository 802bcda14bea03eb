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
export function passesItsTests(emitted: Emitted): Promise<string | undefined> {
  return passesTests(emitted, []);
}

/** Those of its features alone: what lies below them is the same code in every service. */
export function passesFeatureTests(emitted: Emitted): Promise<string | undefined> {
  return passesTests(emitted, ['src/features']);
}

function passesTests({ folder, workers }: Emitted, filters: string[]) {
  const command = ['vitest', 'run', `--maxWorkers=${workers}`, ...filters];
  return problemOf(folder, command, { NO_COLOR: '1' });
}
