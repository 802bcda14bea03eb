import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { type Server, startDaemon } from './server.js';

const PORT = 6379;
const PROGRAM = '/usr/bin/redis-server';

export const redis: Server = {
  name: 'Redis',
  package: 'redis-server',
  unit: 'redis-server',
  port: PORT,

  isInstalled: () => existsSync(PROGRAM),

  check: () =>
    new Promise((resolve, reject) => {
      const socket = connect(PORT, '127.0.0.1', () => socket.write('PING\r\n'));
      socket.once('error', reject);
      socket.once('data', (answer) => {
        socket.destroy();
        if (answer.toString().startsWith('+PONG')) resolve();
        else reject(new Error(answer.toString().trim()));
      });
    }),

  async start(folder) {
    const settings = { bind: '127.0.0.1', port: String(PORT), dir: folder, save: '' };
    const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    startDaemon(folder, [PROGRAM, ...flags]);
  },
};
