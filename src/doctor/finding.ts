import type { Document } from '../documents.js';

/** The result of one check, for people. */
export type Finding = Document<'doctor'>['findings'][number];

export function problem(about: string, message: string, remedy: string): Finding {
  return { about, severity: 'problem', message, remedy };
}

export function note(about: string, message: string, remedy: string): Finding {
  return { about, severity: 'note', message, remedy };
}

export function ok(about: string, message: string): Finding {
  return { about, severity: 'ok', message };
}

/** The findings, or that all is in order. */
export function findingsOrOk(findings: Finding[], about: string, message: string): Finding[] {
  return findings.length > 0 ? findings : [ok(about, message)];
}

const shownPaths = 5;

/** The first of the paths, in a sentence. */
export function shown(paths: string[]): string {
  const more = paths.length - shownPaths;
  return [...paths.slice(0, shownPaths), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
