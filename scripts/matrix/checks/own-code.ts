import { mysql, mysql8 } from '../../services/mysql.js';
import { filesBelow, problemOf } from '../child.js';
import type { Emitted } from './check.js';

type Testable = Pick<Emitted, 'folder' | 'workers' | 'instances'>;

/** The tests that the service brings, on as many instances as are asked for. */
export function passesItsTests(emitted: Emitted): Promise<string | undefined> {
  return vitestProblem(emitted);
}

/** Attacks on the sandbox of scripts: neither a framework nor a database can break it, and they take a fifth of the time. */
const APART = 'src/features/tools/attacks.test.ts';

/** Those that a framework or a database may break: of what every service has, and its share of the features'. */
export function passesItsTestsOnPlatform(emitted: Emitted): Promise<string | undefined> {
  const { index, of } = emitted.share ?? { index: 0, of: 1 };
  const tests = filesBelow(emitted.folder)
    .filter((path) => /^(src|test)\/.*\.test\.ts$/.test(path) && path !== APART)
    .sort();
  const isOfFeature = (path: string) => path.startsWith('src/features/');
  const shared = tests.filter(isOfFeature).filter((_, position) => position % of === index);
  return vitestProblem(emitted, [...tests.filter((path) => !isOfFeature(path)), ...shared]);
}

/** All tests once more on MySQL itself, for a service whose tests find MariaDB. */
export const passesItsTestsOnMysql = testsOn(mysql.url);
export const passesItsTestsOnMysql8 = testsOn(mysql8.url);

function testsOn(url: string) {
  return (emitted: Emitted) => vitestProblem(emitted, [], { TEST_DATABASE_URL: url });
}

/** What a database may break first, and every service has. */
const base = ['src/db', 'src/session', 'src/one-time-tokens', 'src/users', 'src/http/conformance'];

/** Those of them that concern what all services share, on MySQL itself at `url`. */
export function passesItsBaseTestsOnMysql(
  service: Testable,
  url: string,
): Promise<string | undefined> {
  return vitestProblem(service, base, { TEST_DATABASE_URL: url });
}

function vitestProblem(
  { folder, workers, instances = 1 }: Testable,
  paths: string[] = [],
  env: Record<string, string> = {},
): Promise<string | undefined> {
  const command = ['vitest', 'run', `--maxWorkers=${workers}`, ...paths];
  const always = { NO_COLOR: '1', TEST_INSTANCES: String(instances) };
  return problemOf(folder, command, { ...always, ...env });
}
