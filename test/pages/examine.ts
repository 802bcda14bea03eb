import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const run = (rules: string) =>
  `axe.run(document, ${rules}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`;

/** A page enlarged to 400 % on a screen of 1280 pixels (WCAG 1.4.10). */
const NARROW = { width: 320, height: 740 };

/**
 * The problems of the current page: what axe finds in both color schemes, what is cut off on a narrow screen,
 * fields that password managers do not understand. The page is not changed.
 */
export async function complaints(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found: string[] = await page.evaluate(run('{}'));
  const size = page.viewportSize();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(NARROW);
  const dark: string[] = await page.evaluate(run('{}'));
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  await page.emulateMedia({ colorScheme: 'light' });
  if (size) await page.setViewportSize(size);
  const tooWide = width > NARROW.width ? [`${width} pixels wide on a narrow screen`] : [];
  const once =
    (await page.locator('h1').count()) === 1 && (await page.locator('main').count()) === 1;
  return [
    ...found,
    ...dark.map((line) => `dark, narrow: ${line}`),
    ...tooWide,
    ...(once ? [] : ['not one h1 and one main']),
    ...(await unknownFields(page)),
  ];
}

/** By name: the `autocomplete` of the fields that password managers and phones fill in (HTML standard, autofill). */
const EXPECTED: [name: RegExp, autocomplete: string[]][] = [
  [/^(?:password|currentPassword)$/, ['current-password', 'new-password']],
  [/^newPassword$/, ['new-password']],
  [/^(?:code|totpCode|token)$/, ['one-time-code']],
];

async function unknownFields(page: Page): Promise<string[]> {
  const inputs = await page
    .locator('input:not([type=hidden], [id^=recovery-])')
    .evaluateAll((all) =>
      all.map((input) => ({
        name: String(input.getAttribute('name')),
        autocomplete: String(input.getAttribute('autocomplete')),
        inputmode: String(input.getAttribute('inputmode')),
      })),
    );
  return inputs.flatMap(({ name, autocomplete, inputmode }) => {
    const [, wanted] = EXPECTED.find(([pattern]) => pattern.test(name)) ?? [];
    const isRight = wanted?.includes(autocomplete) ?? true;
    const isTyped = autocomplete !== 'one-time-code' || inputmode === 'numeric';
    return isRight && isTyped ? [] : [`${name}: ${autocomplete}, ${inputmode}`];
  });
}
