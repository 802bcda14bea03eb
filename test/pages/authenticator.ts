import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Person, send, signedUp } from './people.js';
import type { Site } from './site.js';

/** A user who has an authenticator app. */
export interface Enrolled extends Person {
  secret: string;
  recoveryCodes: string[];
}

/**
 * The code of the app, `steps` of 30 seconds from now. Those of adjacent steps are accepted too, and each works
 * once: after `enrol` the first is that of 1, which is a later one whenever the step of `enrol` ends.
 */
export function appCode(secret: string, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
}

/** Sets up an app on its page, using the secret beside the QR code; `look` is called at each step. */
export async function enrol(
  site: Site,
  page: Page,
  look: () => Promise<void> = async () => {},
): Promise<Enrolled> {
  const person = await signedUp(site, page);
  await page.goto('/auth/ui/2fa-setup');
  await look();
  await send(page, 'begin');
  await look();
  const qrCode = page.locator('main img[src^="data:image/png"]');
  expect(await qrCode.evaluate((image) => image.naturalWidth)).toBeGreaterThan(100);
  const secret = (await page.locator('main code').first().textContent()) ?? '';
  await send(page, 'confirm', { token: appCode(secret) });
  await look();
  const recoveryCodes = await page.locator('ol.codes li').allTextContents();
  expect(new Set(recoveryCodes).size).toBe(10);
  return { ...person, secret, recoveryCodes };
}
