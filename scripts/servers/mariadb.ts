import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { type Connection, createConnection } from 'mysql2/promise';
import { give, type Server, startDaemon, userOf } from './server.js';

const PORT = 3306;
const PROGRAM = '/usr/sbin/mariadbd';

export const mariadb: Server = {
  name: 'MariaDB',
  package: 'mariadb-server',
  unit: 'mariadb',
  port: PORT,

  isInstalled: () => existsSync(PROGRAM),

  async check() {
    await (await connected()).end();
  },

  async commitEarly() {
    const connection = await connected();
    await connection.query('set global innodb_flush_log_at_trx_commit = 0');
    await connection.end();
  },

  async start(folder) {
    const user = userOf('mysql');
    const data = join(folder, 'data');
    give(folder, user);
    const common = ['--no-defaults', `--datadir=${data}`, ...(user ? [`--user=${user}`] : [])];
    const initialize = [...common, '--auth-root-authentication-method=normal', '--skip-test-db'];
    await execa('mariadb-install-db', initialize, { cwd: folder });
    const settings = [
      '--bind-address=127.0.0.1',
      `--port=${PORT}`,
      `--socket=${join(folder, 'socket')}`,
      '--max-connections=200',
      // Test data may be lost.
      '--innodb-flush-log-at-trx-commit=0',
    ];
    startDaemon(folder, [PROGRAM, ...common, ...settings]);
  },
};

function connected(): Promise<Connection> {
  const passwords = ['', ':mysql'];
  return Promise.any(
    passwords.map((password) => createConnection(`mysql://root${password}@127.0.0.1:${PORT}`)),
  );
}
