/** A relative path by which a program names another file. */
export interface RelativeSpecifier {
  /** Where the path begins in the text. */
  offset: number;
  path: string;
}

/** All relative paths in the text, wherever their statements begin. */
export function relativeSpecifiers(text: string): RelativeSpecifier[] {
  return [...text.matchAll(quotedPath)].flatMap(({ index, 2: path = '' }) => {
    const lead = text.slice(Math.max(0, index - longestLead), index);
    return naming.test(lead) ? [{ offset: index + 1, path }] : [];
  });
}

const quotedPath = /(['"`])(\.{1,2}\/[^'"`$\n]+)\1/g;

const longestLead = 250;

/** What precedes the quotes. The types of a call may contain an import of their own. */
const naming = new RegExp(
  [
    String.raw`\b(?:from|import)\s*$`,
    String.raw`\b(?:import|require|require\.resolve|import\.meta\.resolve)\s*\(\s*$`,
    String.raw`\b(?:vi|jest)\s*\.\s*\w+\s*(?:<[^;]*>)?\s*\(\s*$`,
    String.raw`\bnew\s+URL\s*\(\s*$`,
  ].join('|'),
);
