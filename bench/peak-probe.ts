/** Loaded before a measured command (`node --import`): writes its peak memory, in KiB, when it ends. */
import { writeSync } from 'node:fs';

const REPORT = 3;
process.on('exit', () => writeSync(REPORT, String(process.resourceUsage().maxRSS)));
