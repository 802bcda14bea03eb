import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

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
