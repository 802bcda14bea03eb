import { entryOf, type Imports } from './read-imports.js';

/**
 * The entries of `src/` as a Mermaid flowchart. An arrow means "imports at run time". One that follows from
 * others, because there is also a longer path, is left out.
 */
export function mermaid(imports: Imports['all']): string {
  const arrows = arrowsBetween(imports);
  const lines = [...arrows].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((via) => via !== to && reaches(arrows, via, to)))
      .map((to) => `  ${nodeOf(from)} --> ${nodeOf(to)}`),
  );
  return ['```mermaid', 'flowchart TD', ...lines.sort(), '```'].join('\n');
}

type Arrows = Map<string, Set<string>>;

function arrowsBetween(imports: Imports['all']): Arrows {
  const arrows: Arrows = new Map();
  for (const { from, to } of imports) {
    const [one, other] = [entryOf(from), entryOf(to)];
    if (one !== other) arrows.set(one, (arrows.get(one) ?? new Set()).add(other));
  }
  return arrows;
}

function reaches(arrows: Arrows, from: string, to: string, seen = new Set([from])): boolean {
  return [...(arrows.get(from) ?? [])].some((next) => {
    if (next === to) return true;
    if (seen.has(next)) return false;
    return reaches(arrows, next, to, seen.add(next));
  });
}

function nodeOf(name: string): string {
  return `${name.replace(/\W/g, '_')}["${name}"]`;
}
