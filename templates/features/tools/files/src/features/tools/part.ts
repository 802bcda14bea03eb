import type { Part } from '../../part.js';
import type { Services } from '../../services.js';
import { createSandboxPool, type SandboxPool } from './sandbox/pool.js';

/** The processes that scripts run in; the first is started by the first script. */
export function toolsPart({ log }: Services): Part & SandboxPool {
  return createSandboxPool(log);
}
