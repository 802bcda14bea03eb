import { Command } from 'commander';
import { ensure } from './services/ensure.js';
import { mariadb } from './services/mariadb.js';
import { mysql, mysql8 } from './services/mysql.js';
import { postgres } from './services/postgres.js';
import { redis } from './services/redis.js';
import type { Service } from './services/service.js';

const known: Record<string, Service> = { postgres, mariadb, redis, mysql, mysql8 };
/** MySQL itself is not: it takes root and a minute (docs/decisions/0017-mysql-beside-mariadb.md). */
const usual = ['postgres', 'mariadb', 'redis'];

/**
 * The servers that the tests of emitted services use, on loopback. Those that run are used; others are installed from
 * Debian's packages and started on data of their own. Where that fails it is said, and in CI it is an error.
 */
const command = new Command('services')
  .argument('[names...]', Object.keys(known).join(', '), usual)
  .parse();

const names: string[] = command.processedArgs[0];
const services = names.map(
  (name) =>
    known[name] ?? command.error(`there is no ${name}, only ${Object.keys(known).join(', ')}`),
);

for (const service of services) {
  try {
    await ensure(service);
  } catch (error) {
    const reason = error instanceof AggregateError ? error.errors.join(', ') : String(error);
    console.error(`${service.name}: not to be had. ${reason}`);
    if (process.env.CI) process.exitCode = 1;
  }
}
