import { problemOf } from '../child.js';
import type { Emitted } from './check.js';

/** The tests that the service brings. */
export function passesItsTests({ folder, workers }: Emitted): Promise<string | undefined> {
  return problemOf(folder, ['vitest', 'run', `--maxWorkers=${workers}`], { NO_COLOR: '1' });
}

/** What a database or a framework may break first, and every service has. */
const base = ['src/db', 'src/session', 'src/one-time-tokens', 'src/users', 'src/http/conformance'];

/** Those of them that concern what all services share: on a server, each test makes a database of its own. */
export function passesItsBaseTests({ folder, workers }: Emitted): Promise<string | undefined> {
  return problemOf(folder, ['vitest', 'run', `--maxWorkers=${workers}`, ...base], {
    NO_COLOR: '1',
  });
}
