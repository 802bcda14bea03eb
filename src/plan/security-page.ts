import type { Fragments } from '../catalog/read-sources.js';

/** A requirement of the OWASP Application Security Verification Standard, and the service's verdict on it. */
export interface Requirement {
  id: string;
  verdict: string;
  asks: string;
  shown: string;
}

/** The merged tables of the layers' `asvs.md`. */
export interface SecurityPage {
  protections: { attack: string; protection: string; place: string }[];
  /** By number. */
  requirements: Requirement[];
  verdicts: { verdict: string; count: number }[];
}

const NUMBER = /^\d+\.\d+\.\d+/;

/** Joins the layers' tables: where two layers have a line for one requirement, the later layer's counts. */
export function composeSecurityPage(fragments: Fragments[]): SecurityPage {
  const rows = fragments.flatMap(({ asvs = '' }) => rowsOf(asvs));
  const byId = new Map<string, Requirement>();
  for (const [ids = '', verdict = '', asks = '', shown = ''] of rows) {
    if (!NUMBER.test(ids)) continue;
    for (const id of ids.split(', ')) byId.set(id, { id, verdict, asks, shown });
  }
  const requirements = [...byId.values()].sort((a, b) => inOrder(a.id, b.id));
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

/** `1.10.2` comes after `1.9.1`. Not by `localeCompare`, whose language data takes 8 ms to load. */
function inOrder(a: string, b: string): number {
  const others = b.split('.');
  for (const [at, part] of a.split('.').entries()) {
    const difference = Number(part) - Number(others[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
