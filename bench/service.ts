import { join } from 'node:path';
import { databaseEnvironment, databaseFile, forgetDatabases } from './databases.js';
import { FIRST, type Kind } from './kinds.js';
import { serviceFolderOf } from './places.js';
import { type Server, startServer } from './server.js';

/** As low as production allows: the bench looks at what is around the hash. */
export const BCRYPT_COST = 10;

/** How the service is run here; said again under the table. */
export const SETTINGS =
  'NODE_ENV=production RATE_LIMIT=off LOG_LEVEL=warn BCRYPT_COST=10 REFRESH_REUSE_WINDOW=1s; SQLite WAL, synchronous=NORMAL';

export { databaseFile, forgetDatabases };

export const BASE_URL = 'http://127.0.0.1:3000';
export const ACCESS_TOKEN_SECRET = 'f3a90c5d7e1b48269fd05c7ab1e6348d';
export const REFRESH_TOKEN_SECRET = '8b27e4d1c6f0953a7be2d84c1f605a9e';

/** The environment of a built service whose database is called `name`. */
export function environmentOf(name: string): Record<string, string> {
  return {
    NODE_ENV: 'production',
    DATABASE_URL: `file:${databaseFile(name)}`,
    MIGRATE_ON_START: 'on',
    ACCESS_TOKEN_SECRET,
    REFRESH_TOKEN_SECRET,
    BASE_URL,
    SMTP_URL: 'smtp://127.0.0.1:1',
    SMS_TRANSPORT: 'http',
    SMS_HTTP_URL: 'http://127.0.0.1:1/',
    MAIL_FROM: 'bench@example.com',
    BCRYPT_COST: String(BCRYPT_COST),
    RATE_LIMIT: 'off',
    // A session is refreshed here thousands of times more often than in life; with the usual window
    // its row would fill with used tokens, which no real one does.
    REFRESH_REUSE_WINDOW: '1s',
    LOG_LEVEL: 'warn',
  };
}

/** Starts the built service of a kind on its database called `name`. */
export function startService(name: string, kind = FIRST): Promise<Server> {
  return start(name, kind);
}

/** The same without the bench's probe, which would be measured along; it cannot tell its usage. */
export function startServiceAlone(name: string, kind = FIRST): Promise<Server> {
  return start(name, kind, []);
}

async function start(name: string, kind: Kind, execArgv?: string[]): Promise<Server> {
  const environment = { ...environmentOf(name), ...(await databaseEnvironment(name, kind)) };
  const folder = serviceFolderOf(kind);
  return startServer(join(folder, 'dist/src/main.js'), '/readyz', environment, folder, execArgv);
}
