import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import { transform } from 'esbuild';
import { filesBelow } from '../matrix/child.js';
import { order } from './order.js';

/** What the source of an emitted service imports at run time, tests left out. */
export interface Imports {
  /** Each with the path that imports and the path that is imported, below `src/`. */
  all: { from: string; to: string }[];
  /** The violations, one sentence each. */
  problems: string[];
}

/**
 * Reads the imports of the `src/` in a folder. dependency-cruiser gets JavaScript, as it is run: esbuild leaves out
 * what is only a type, and the compiler that it could read TypeScript with has no API from version 7 on.
 */
export async function readImports(folder: string): Promise<Imports> {
  const javascript = mkdtempSync(join(tmpdir(), 'imports-'));
  try {
    await compile(folder, javascript);
    const { output } = await cruise(['src'], {
      baseDir: javascript,
      includeOnly: '^src/',
      validate: true,
      ruleSet: { forbidden: rules() },
    });
    if (typeof output === 'string') throw new Error(output);
    return { all: importsIn(output), problems: [...unplaced(output), ...violationsIn(output)] };
  } finally {
    rmSync(javascript, { recursive: true });
  }
}

async function compile(folder: string, target: string): Promise<void> {
  const paths = filesBelow(join(folder, 'src'))
    .map((path) => `src/${path}`)
    .filter((path) => /\.[cm]?[jt]s$/.test(path) && !path.endsWith('.test.ts'));
  for (const path of paths) {
    const text = readFileSync(join(folder, path), 'utf8');
    const file = join(target, path.replace(/ts$/, 'js'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, path.endsWith('ts') ? await withoutTypes(text) : text);
  }
}

async function withoutTypes(text: string): Promise<string> {
  const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: true } };
  return (await transform(text, { loader: 'ts', tsconfigRaw })).code;
}

function rules(): IForbiddenRuleType[] {
  const upward = order.slice(0, -1).map(
    (row, index): IForbiddenRuleType => ({
      name: 'upwards',
      severity: 'error',
      from: { path: pathsOf(row), pathNot: '^src/policy\\.js$' },
      to: { path: pathsOf(order.slice(index + 1).flat()) },
    }),
  );
  return [{ name: 'cycle', severity: 'error', from: {}, to: { circular: true } }, ...upward];
}

/** A regular expression for paths in one of these entries. */
function pathsOf(entries: string[]): string {
  const names = entries.map((entry) => entry.replace(/\.ts$/, '\\.js$').replace(/\w$/, '$&/'));
  return `^src/(${names.join('|')})`;
}

/** The entry of `src/` that a path belongs to. */
export function entryOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function importsIn({ modules }: ICruiseResult): Imports['all'] {
  return modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({
      from: asTypeScript(source),
      to: asTypeScript(resolved),
    })),
  );
}

function asTypeScript(path: string): string {
  return path.replace(/\.js$/, '.ts');
}

function unplaced({ modules }: ICruiseResult): string[] {
  const entries = new Set(modules.map(({ source }) => entryOf(asTypeScript(source))));
  return [...entries]
    .filter((entry) => !order.flat().includes(entry))
    .map((entry) => `src/${entry} has no place in scripts/imports/order.ts`);
}

function violationsIn({ summary }: ICruiseResult): string[] {
  return summary.violations.map(({ rule, from, to, cycle }) =>
    rule.name === 'cycle'
      ? `a cycle: ${[from, ...(cycle ?? []).map(({ name }) => name)].map(asTypeScript).join(' → ')}`
      : `upwards: ${asTypeScript(from)} → ${asTypeScript(to)}`,
  );
}
