import { dirname, join, relative } from 'node:path/posix';

/** A file as an upgrade leaves it. */
export interface PlacedFile {
  path: string;
  /** Where the template has it. */
  templatePath: string;
  text: string;
}

/** What is known of where files lie. */
export interface Whereabouts {
  /** Of the template's files in the project, by their path in the template. */
  places: ReadonlyMap<string, string>;
  /** Every path at which some file is. */
  there: ReadonlySet<string>;
}

/** An import of a file that the team has moved, written as if it were where the template has it. */
export interface LostImport {
  /** Counted from 1. */
  line: number;
  written: string;
  /** What leads there from this file. */
  instead: string;
}

/**
 * The imports of a file that lead nowhere because the team has moved what they mean, or the file itself.
 */
export function lostImports(
  { path, templatePath, text }: PlacedFile,
  { places, there }: Whereabouts,
): LostImport[] {
  return text.split('\n').flatMap((content, index) => {
    const written = importOf.exec(content)?.groups?.specifier;
    if (written === undefined || there.has(fileMeant(path, written))) return [];
    const place = places.get(fileMeant(templatePath, written));
    if (place === undefined) return [];
    return [{ line: index + 1, written, instead: specifierOf(path, place, written) }];
  });
}

/** The text with what leads there in the place of what leads nowhere. */
export function withFoundImports(file: PlacedFile, whereabouts: Whereabouts): string {
  const lines = file.text.split('\n');
  for (const { line, written, instead } of lostImports(file, whereabouts)) {
    lines[line - 1] = lines[line - 1]?.replace(written, instead) ?? '';
  }
  return lines.join('\n');
}

/** `from './x.js'`, `import './x.js'`, `import('./x.js')`, wherever the statement began. */
const importOf = /\b(?:from|import)\s*\(?\s*(?<quote>['"])(?<specifier>\.{1,2}\/[^'"]+)\k<quote>/;

/** An import names the file that the compiler makes. */
function fileMeant(importer: string, specifier: string): string {
  return join(dirname(importer), specifier).replace(/\.js$/, '.ts');
}

function specifierOf(importer: string, place: string, written: string): string {
  const path = relative(dirname(importer), place);
  const named = written.endsWith('.js') ? path.replace(/\.ts$/, '.js') : path;
  return named.startsWith('.') ? named : `./${named}`;
}
