import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** The pages of an emitted service whose paths have no parameters, from its sources, and one that does not exist. */
export function pagePaths(folder: string): string[] {
  const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' });
  const texts = sources
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(folder, 'src', path), 'utf8'));
  const found = texts.flatMap((text) => [...text.matchAll(/'(\/ui\/[\w-]+)': \S/g)]);
  return [...new Set(found.map(([, path]) => `/auth${path}`)), '/auth/ui/missing', '/'].sort();
}

/**
 * The targets of links on the account and administration pages, one page of each kind, for the user who is
 * signed in on `page`.
 */
export async function linkedPaths(page: Page, baseUrl: string): Promise<string[]> {
  const found = new Map(['/auth/ui/account', '/admin'].map((path) => [kindOf(path), path]));
  for (const path of found.values()) {
    await page.goto(baseUrl + path);
    const links = page.locator('main a[href^="/"]:not([download]), nav a[href^="/"]');
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    for (const href of hrefs) {
      const [target = ''] = href?.split('?') ?? [];
      if (isPage(target) && !found.has(kindOf(target))) found.set(kindOf(target), target);
    }
  }
  return [...found.values()];
}

/** Neither a route of an API nor the redirect to a provider. */
function isPage(path: string): boolean {
  return /^\/(?:auth\/ui|admin)(?:\/|$)/.test(path) && !path.includes('/api/');
}

/** The path without its ids. */
export function kindOf(path: string): string {
  return path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id');
}
