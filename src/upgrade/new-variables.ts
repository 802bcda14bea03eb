import type { UpgradeInput } from './plan-upgrade.js';

/** Variables that stand in the template's example, and neither in the pristine one nor in the team's. */
export function newVariables({ manifest, next, bases, project }: UpgradeInput): string[] {
  const file = manifest.files.find(({ path }) => path === '.env.example');
  const texts = file ? [bases.get(file.id), project.get(file.movedTo ?? file.path)?.content] : [];
  const known = texts.join('\n');
  if (known.trim() === '') return [];
  const named = new Set([...known.matchAll(/^#? ?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name));
  return next.env.map(({ name }) => name).filter((name) => !named.has(name));
}
