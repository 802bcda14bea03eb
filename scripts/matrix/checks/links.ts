import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesBelow } from '../child.js';
import type { Emitted } from '../standard.js';

/** Every relative link of the service's pages leads to a file. */
export function hasNoBrokenLinks({ folder }: Emitted): string | undefined {
  const pages = filesBelow(folder).filter(
    (path) => path.endsWith('.md') && !path.startsWith('.create-auth-service/'),
  );
  const broken = brokenLinks(folder, pages);
  return broken.length > 0 ? broken.join('\n') : undefined;
}

/** The relative links of Markdown pages that lead nowhere, as `page: link`. */
export function brokenLinks(folder: string, pages: string[]): string[] {
  return pages.flatMap((page) =>
    linksOf(readFileSync(join(folder, page), 'utf8'))
      .filter((link) => !existsSync(join(folder, dirname(page), link)))
      .map((link) => `${page}: ${link}`),
  );
}

function linksOf(markdown: string): string[] {
  const text = markdown.replace(/^```[\s\S]*?^```/gm, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|\b(?:src|href)="([^"]+)"/g)];
  return links
    .map(([, link = '', source = '']) => (link || source).replace(/#.*/, ''))
    .filter((link) => link !== '' && !/^[a-z]+:/.test(link));
}
