import { setTimeout as sleep } from 'node:timers/promises';
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

/** The code of the app, `steps` of 30 seconds from now: a code works once, and adjacent ones are accepted too. */
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
  await untilStepLasts();
  await send(page, 'confirm', { token: appCode(secret, -1) });
  await look();
  const recoveryCodes = await page.locator('ol.codes li').allTextContents();
  expect(new Set(recoveryCodes).size).toBe(10);
  return { ...person, secret, recoveryCodes };
}

/** The previous step's code is accepted until this step ends: shortly before that, waits for the next step. */
export async function untilStepLasts(): Promise<void> {
  const left = 30_000 - (Date.now() % 30_000);
  if (left < 5_000) await sleep(left);
}
