import type { ParseResult, ParserPlugin } from '../../packages/babel.js';

/** True if the file is one whose syntax can be checked here. */
export function isCode(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

/** True for a test: nothing imports it. */
export function isTest(path: string): boolean {
  return /\.test\.\w+$/.test(path);
}

/**
 * The syntax tree of a program; undefined if it has a mistake. A name that is declared twice is one: two merged sides may
 * have added the same import.
 * @param tokens whether the tree is to have them
 */
export async function parseCode(
  path: string,
  text: string,
  { tokens = false } = {},
): Promise<ParseResult | undefined> {
  const { parse } = await import('../../packages/babel.js');
  const plugins: ParserPlugin[] = [
    ...(/tsx?$/.test(path) ? (['typescript'] as const) : []),
    ...(/x$/.test(path) || /\.[cm]?js$/.test(path) ? (['jsx'] as const) : []),
    'decorators',
  ];
  try {
    return parse(text, { sourceType: 'module', plugins, attachComment: false, tokens });
  } catch (error) {
    // Or nested so deeply that nobody can read it.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}
