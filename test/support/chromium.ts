import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { fromSource, startService } from '../../scripts/matrix/start-service.js';

/** Where Debian's packages put it. The shell is the same engine without a window: it takes half the processor time. */
const path = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';

/** False, with a message, if there is no Chromium to test pages with; in CI the tests run, and fail. */
export function hasChromium(): boolean {
  if (existsSync(path) || process.env.CI) return true;
  console.warn(`No Chromium at ${path}, so pages are not tested: npm run test:setup gets it.`);
  return false;
}

/**
 * Starts Chromium, headless.
 * @throws Error if there is none
 */
export async function startChromium(): Promise<Browser> {
  if (!existsSync(path)) throw new Error(`No Chromium at ${path}: npm run test:setup gets it.`);
  // As root, in a container, Chromium has no sandbox of its own.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: path, args });
}

/** Starts an emitted service under the address that a browser visits. */
export async function startForBrowsers(folder: string, env: Record<string, string> = {}) {
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  const addressed = { PORT: `${port}`, BASE_URL: baseUrl, ...env };
  const { stop } = await startService(folder, { command: fromSource, env: addressed });
  return { baseUrl, stop };
}

/** Ports below those that the system gives to others meanwhile, a hundred for each process. */
let next = 11_000 + (process.pid % 200) * 100;

async function freePort(): Promise<number> {
  for (;;) {
    const port = next++;
    const server = createServer();
    const isFree = await new Promise((resolve) => {
      server.on('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
