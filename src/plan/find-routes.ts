import type { ComposedFile } from './plan-project.js';

/** Of the functions that are not named after it. */
const methods: Record<string, string> = { list: 'GET', del: 'DELETE' };

// `get('/path', {` at the start of an expression. The summary is looked for up to the next route.
const declaration = /(?<![.\w])(get|list|post|patch|put|del)\(\s*'(\/[^']*)',\s*\{/g;
const summaryText = /\bsummary:\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")/;

/**
 * The routes of the composed tree, read from the text of its route tables; each with the file that holds its table.
 * @throws Error if a route has no summary: the README could not name it
 */
export function findRoutes(tree: Map<string, ComposedFile>) {
  return (
    [...tree]
      .filter(([path]) => /^src\/.*(?<!\.test)\.ts$/.test(path))
      // Four files in five have no path in quotes and need not be decoded.
      .filter(([, { source }]) => source.content.includes("'/"))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([path, { source }]) => routesIn(source.content.toString(), path))
  );
}

function routesIn(text: string, file: string) {
  const declarations = [...text.matchAll(declaration)];
  return declarations.flatMap((match, position) => {
    const end = declarations[position + 1]?.index ?? text.length;
    const declared = text.slice(match.index, end);
    // A page is not a route of the API.
    if (/\bisPage: true\b/.test(declared)) return [];
    const summary = summaryText.exec(declared);
    const [, name = '', path = ''] = match;
    if (!summary) throw new Error(`${file}: ${name} ${path} has no summary`);
    return {
      method: methods[name] ?? name.toUpperCase(),
      path,
      summary: (summary[1] ?? summary[2] ?? '').replace(/\\(.)/g, '$1'),
      file,
    };
  });
}
