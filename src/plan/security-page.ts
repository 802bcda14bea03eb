import type { Fragments } from '../catalog/read-sources.js';

/** The number of a requirement of the OWASP Application Security Verification Standard. */
const NUMBER = /^\d+\.\d+\.\d+/;

/**
 * Joins the tables of the layers' `asvs.md`: where two layers have a line for one requirement, the later layer's counts.
 * Requirements are sorted by number.
 */
export function composeSecurityPage(fragments: Fragments[]) {
  const rows = fragments.flatMap(({ asvs = '' }) => rowsOf(asvs));
  const given = rows
    .filter(([first = '']) => NUMBER.test(first))
    .flatMap(([ids = '', verdict = '', asks = '', shown = '']) =>
      ids.split(', ').map((id) => ({ id, verdict, asks, shown })),
    );
  const byKey = new Map(given.map((requirement) => [sortKey(requirement.id), requirement]));
  const sorted = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1));
  const requirements = sorted.map(([, requirement]) => requirement);
  const named = [...new Set(requirements.map(({ verdict }) => verdict))].sort();
  return {
    protections: rows
      .filter(([first = '']) => !NUMBER.test(first))
      .map(([attack = '', protection = '', place = '']) => ({ attack, protection, place })),
    requirements,
    verdicts: named.map((verdict) => ({
      verdict,
      count: requirements.filter((requirement) => requirement.verdict === verdict).length,
    })),
  };
}

/** The cells of all tables, without their heads. */
function rowsOf(markdown: string): string[][] {
  const lines = markdown.split('\n').filter((line) => /^\| (?!attack |requirement )/.test(line));
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** As text, `1.9.1` would come after `1.10.2`. `localeCompare` knows, but its language data take 8 ms to load. */
function sortKey(id: string): string {
  return id.replace(/\d+/g, (digits) => digits.padStart(3, '0'));
}
