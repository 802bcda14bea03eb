import { existsSync } from 'node:fs';
import { type Server, startDaemon } from './server.js';

const PORT = 6379;
const PROGRAM = '/usr/bin/redis-server';

export const redis: Server = {
  name: 'Redis',
  package: 'redis-server',
  unit: 'redis-server',
  port: PORT,

  isInstalled: () => existsSync(PROGRAM),

  async start(folder) {
    const settings = { bind: '127.0.0.1', port: String(PORT), dir: folder, save: '' };
    const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    startDaemon(folder, [PROGRAM, ...flags]);
  },
};
