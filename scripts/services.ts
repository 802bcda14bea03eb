import { ensure } from './services/ensure.js';
import { mariadb } from './services/mariadb.js';
import { postgres } from './services/postgres.js';
import { redis } from './services/redis.js';

/**
 * The servers that the tests of emitted services use, on loopback and their standard ports. Those that run are used; others
 * are installed from Debian's packages and started on data of their own. Where that fails it is said, and in CI it is an error.
 */
for (const service of [postgres, mariadb, redis]) {
  try {
    await ensure(service);
  } catch (error) {
    const reason = error instanceof AggregateError ? error.errors.join(', ') : String(error);
    console.error(`${service.name}: not to be had. ${reason}`);
    if (process.env.CI) process.exitCode = 1;
  }
}
