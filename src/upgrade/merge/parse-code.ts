import type { ParseResult, ParserPlugin } from '@babel/parser';

/** True if the file is one whose syntax can be checked here. */
export function isCode(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
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
  // A module of its own: of a CommonJS package, a bundle's `import()` gives nothing but `default`.
  const { parse } = await import('./babel.js');
  const plugins: ParserPlugin[] = [
    ...(/tsx?$/.test(path) ? (['typescript'] as const) : []),
    ...(/x$/.test(path) || /\.[cm]?js$/.test(path) ? (['jsx'] as const) : []),
    'decorators',
  ];
  try {
    return parse(text, { sourceType: 'module', plugins, attachComment: false, tokens });
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
