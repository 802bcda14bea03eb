import type { Fragments } from '../catalog/read-sources.js';

/** A requirement of the OWASP Application Security Verification Standard, and the service's verdict on it. */
interface Requirement {
  id: string;
  verdict: string;
  asks: string;
  shown: string;
}

/** The merged tables of the layers' `asvs.md`. */
interface SecurityPage {
  protections: { attack: string; protection: string; place: string }[];
  /** By number. */
  requirements: Requirement[];
  verdicts: { verdict: string; count: number }[];
}

const NUMBER = /^\d+\.\d+\.\d+/;

/** Joins the layers' tables: where two layers have a line for one requirement, the later layer's counts. */
export function composeSecurityPage(fragments: Fragments[]): SecurityPage {
  const rows = fragments.flatMap(({ asvs = '' }) => rowsOf(asvs));
  const byKey = new Map<string, Requirement>();
  for (const [ids = '', verdict = '', asks = '', shown = ''] of rows) {
    if (!NUMBER.test(ids)) continue;
    for (const id of ids.split(', ')) byKey.set(sortKey(id), { id, verdict, asks, shown });
  }
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
