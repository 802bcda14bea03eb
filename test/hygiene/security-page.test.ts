import { expect, test } from 'vitest';
import { largest, pairwiseCombinations } from '../../scripts/matrix/combinations.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { templatesFolder } from '../../src/package-root.js';
import { planFromTemplates } from '../../src/plan/plan-project.js';
import { composeSecurityPage } from '../../src/plan/security-page.js';

const catalog = readCatalog(templatesFolder);

/** Levels 1 and 2 of OWASP's ASVS 5.0.0 together. */
const REQUIREMENTS = 253;

/** What is called in a test file with a title: `test('…'`, `describe.each(…)('…'`. */
const TITLE =
  /(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`]*)`)\s*,/g;

function titlesOf(text: string): string[] {
  return [...text.matchAll(TITLE)].map(([, single, double, template]) =>
    String(single ?? double ?? template).replaceAll("\\'", "'"),
  );
}

test('whatever is chosen: docs/security.md has every requirement once, and each that is met names a test by its title, or a file', async () => {
  const wrong: string[] = [];
  for (const answers of pairwiseCombinations(catalog)) {
    const { files } = planFromTemplates(catalog, { ...answers, name: 'x' });
    const texts = new Map(files.map(({ path, content }) => [path, content.toString()]));
    const lines = texts.get('docs/security.md')?.match(/^\| \d+\.\d+\.\d+ \|.*$/gm) ?? [];
    const rows = lines.map((line) =>
      line.split(' | ').map((cell) => cell.replace(/^\| | \|$/, '')),
    );
    expect(new Set(rows.map(([id]) => id)).size).toBe(REQUIREMENTS);
    expect(rows).toHaveLength(REQUIREMENTS);
    for (const [id, verdict = '', asks = '', shown = ''] of rows) {
      const isShown = verdict === 'met' || verdict === 'partly';
      if (!isShown && !['team', 'n/a'].includes(verdict)) wrong.push(`${id}: ${verdict}`);
      if (asks === '') wrong.push(`${id} asks nothing`);
      if (!isShown) continue;
      const [, path = '', name = ''] = /^`([^`]+)`(?:: (.+))?$/.exec(shown) ?? [];
      const text = texts.get(path);
      const isTest = path.endsWith('.test.ts');
      const found = isTest
        ? name !== '' && titlesOf(text ?? '').some((title) => title.includes(name))
        : text?.includes(name);
      if (!found) wrong.push(`${id}: ${shown}`);
    }
  }
  expect([...new Set(wrong)]).toEqual([]);
}, 120_000);

test('of two lines for one requirement the later layer’s counts, and requirements are sorted by number', () => {
  const head = '| requirement | verdict | what it asks | shown by |\n|---|---|---|---|\n';
  const fragment = (...lines: string[]) => ({ asvs: head + lines.join('\n') });
  const base = fragment(
    '| 1.10.1, 1.9.2 | n/a | nothing | |',
    '| 1.2.3 | team | something | |',
    '| 1.2.4 | met | more | `a.ts` |',
  );
  const feature = fragment('| 1.2.3 | met | something | `a.test.ts`: it holds |');
  const fragments = [base, feature] as Parameters<typeof composeSecurityPage>[0];
  const { requirements, verdicts } = composeSecurityPage(fragments);
  expect(requirements.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    '1.2.3 met',
    '1.2.4 met',
    '1.9.2 n/a',
    '1.10.1 n/a',
  ]);
  expect(verdicts).toEqual([
    { verdict: 'met', count: 2 },
    { verdict: 'n/a', count: 2 },
  ]);
});

test('the full service attacks itself by every class from F-01 to F-38, each with what had the weakness', async () => {
  const { files } = planFromTemplates(catalog, { ...largest(catalog), name: 'x' });
  const titles = files
    .filter(({ path }) => /^test\/security\/.*\.test\.ts$/.test(path))
    .flatMap(({ content }) => titlesOf(content.toString()));
  const missing = Array.from({ length: 38 }, (_, at) => `F-${String(at + 1).padStart(2, '0')}`)
    // The first words of a line: several classes may share one.
    .filter((id) => !titles.some((title) => /^(F-\d\d,? )+/.exec(title)?.[0].includes(id)));
  expect(missing).toEqual([]);
});
