// Loaded before the command (`--import`): it sees the processes of another container, or is on another machine.
import { createRequire, syncBuiltinESMExports } from 'node:module';

const require = createRequire(import.meta.url);
const [fs, os] = [require('node:fs'), require('node:os')];
const { readlinkSync } = fs;

fs.readlinkSync = (path, ...options) =>
  path === '/proc/self/ns/pid' ? 'pid:[1]' : readlinkSync(path, ...options);
// Linux is told by the line above; containers may have the same name.
if (process.platform !== 'linux') os.hostname = () => 'elsewhere';
syncBuiltinESMExports();
