import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { brokenLinks } from '../../scripts/matrix/checks/links.js';
import { repositoryFolder } from '../../scripts/matrix/child.js';
import { repositoryFiles } from '../support/repository.js';

test('every relative link of this repository leads to a file', () => {
  const pages = [
    ...readdirSync(repositoryFolder).filter((name) => name.endsWith('.md')),
    ...repositoryFiles('docs', 'bench').filter((path) => path.endsWith('.md')),
  ];
  expect(pages).toContain('README.md');
  expect(brokenLinks(repositoryFolder, pages)).toEqual([]);
});
