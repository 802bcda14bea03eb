import { type ParseResult, type ParserPlugin, parse } from '../../packages/babel.js';

/** True if this program can check the file's syntax. */
export function isCode(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

/**
 * The syntax tree of a program; undefined if it has an error. A name declared twice is an error: two merged sides may
 * have added the same import.
 * @param tokens whether the tree includes them
 */
export function parseCode(
  path: string,
  text: string,
  { tokens = false } = {},
): ParseResult | undefined {
  const plugins: ParserPlugin[] = [
    ...(/tsx?$/.test(path) ? (['typescript'] as const) : []),
    ...(/x$/.test(path) || /\.[cm]?js$/.test(path) ? (['jsx'] as const) : []),
    'decorators',
  ];
  try {
    return parse(text, { sourceType: 'module', plugins, attachComment: false, tokens });
  } catch (error) {
    // RangeError: nested too deeply for the parser.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}
