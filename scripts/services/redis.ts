import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { startDaemon } from './daemon.js';
import type { Service } from './service.js';

const PROGRAM = '/usr/bin/redis-server';

export const redis: Service = {
  name: 'Redis',
  package: 'redis-server',
  unit: 'redis-server',
  port: 6379,

  isInstalled: () => existsSync(PROGRAM),

  check: (port) =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
      socket.once('error', reject);
      socket.once('data', (answer) => {
        socket.destroy();
        if (answer.toString().startsWith('+PONG')) resolve();
        else reject(new Error(answer.toString().trim()));
      });
    }),

  async start(folder, port) {
    const settings = { bind: '127.0.0.1', port: String(port), dir: folder, save: '' };
    const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    startDaemon(folder, [PROGRAM, ...flags]);
  },
};
