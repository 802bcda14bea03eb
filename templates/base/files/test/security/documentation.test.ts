import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

test('each file and test that docs/security.md names is there', () => {
  const rows = read('docs/security.md').matchAll(/\| `([^`]+)`(?:: ([^|]+))? \|$/gm);
  const named = [...rows].map(([, path = '', name = '']) => ({ path, name: name.trim() }));
  expect(named.length).toBeGreaterThan(100);
  const missing = named.filter(
    ({ path, name }) => !existsSync(new URL(path, root)) || !read(path).includes(name),
  );
  expect(missing).toEqual([]);
});

test('each requirement that docs/security.md says is met, or in part, names what shows it', () => {
  const claims = read('docs/security.md').match(/^\| [\d.]+ \| (?:met|partly) \|.*$/gm) ?? [];
  expect(claims.length).toBeGreaterThan(100);
  expect(claims.filter((claim) => !/\| `[^`]+`(?:: [^|]+)? \|$/.test(claim))).toEqual([]);
});
