import { basename, extname } from 'node:path/posix';
import type { ParseResult } from '../packages/babel.js';
import { pathsOfImport, relativeSpecifiers } from './broken-imports.js';
import { isCode, parseCode } from './merge/parse-code.js';
import type { Decided, UpgradeInput } from './plan-upgrade.js';
import type { FileOutcome } from './upgrade-plan.js';

/** A name that code imports from a file that does not export it, with the template's code that does. */
export type MissingExport = NonNullable<FileOutcome['missing']>[number];

/** A program and its path in the project. */
interface Program {
  path: string;
  text: string;
  /** The team's text, if the upgrade rewrites the file. */
  before?: string | undefined;
  /** Where it is, if not at its path. */
  place?: string | undefined;
}

/** The text of a file of the project; undefined if there is none. */
type TextAt = (path: string) => string | undefined;

/**
 * Finds names that the upgrade's code imports from files of the team and that these do not export. Those files are not
 * changed, so the team has to add them. Names that were missing before are ignored.
 */
export function withMissingExports(decided: Decided[], { project, read }: UpgradeInput): Decided[] {
  const textAt = (path: string) => (project.get(path) ?? read?.(path))?.content.toString();
  const written = decided.flatMap(({ pair: { now, place }, decision: { path, result } }) => {
    if (!now || !result) return [];
    const before = place === undefined ? undefined : project.get(place)?.content.toString();
    return [{ path: now.path, text: now.content.toString(), before, place: path }];
  });
  return decided.map(({ pair, decision }) => {
    const { before, now, place } = pair;
    const isTheTeams = [before?.owner, now?.owner].includes('yours');
    const yours = place === undefined ? undefined : project.get(place)?.content.toString();
    if (!isTheTeams || !now || yours === undefined || decision.beside) return { pair, decision };
    // Of a file that the template moves, the text at its new place.
    const text = decision.result?.content.toString() ?? yours;
    const found = missingExports({ path: now.path, text, place }, written, textAt);
    if (found.length === 0) return { pair, decision };
    const theirs = { path: now.path, text: now.content.toString() };
    const missing = found.map((each) => ({ ...each, text: exportText(theirs, each.name) }));
    const incomplete = { outcome: 'incomplete' as const, note: toExport(missing), missing };
    return { pair, decision: { ...decision, ...incomplete } };
  });
}

/** The remedy for missing exports, as a clause. */
export function toExport(missing: MissingExport[]): string {
  const names = [...new Set(missing.map(({ name }) => name))];
  const importers = new Set(missing.flatMap(({ importedBy }) => importedBy));
  return `export ${names.join(', ')}, imported by ${[...importers].sort().join(', ')}`;
}

/**
 * Names that others import from a file and that it does not export, nor files that it re-exports. If this cannot be told,
 * because it re-exports a package or has an error, none are missing.
 */
export function missingExports(file: Program, others: Program[], textAt: TextAt): MissingExport[] {
  if (!isCode(file.path)) return [];
  const stem = basename(file.path, extname(file.path));
  // Parsing takes milliseconds per file: most files do not even name it, or import from it what they did before.
  const importers = others.filter(
    (other) =>
      isCode(other.path) &&
      other.text.includes(`/${stem}.`) &&
      relativeSpecifiers(other.text).some(({ path }) => leadsTo(file.path, other.path, path)) &&
      !importsAsBefore(other, stem),
  );
  if (importers.length === 0) return [];
  const exported = exportsOf({ ...file, path: file.place ?? file.path }, textAt);
  if (!exported) return [];
  const missing = new Map<string, string[]>();
  for (const importer of importers) {
    for (const name of importedFrom(file.path, importer)) {
      if (!exported.has(name))
        missing.set(name, [...(missing.get(name) ?? []), importer.place ?? importer.path]);
    }
  }
  return [...missing].map(([name, importedBy]) => ({ name, importedBy: importedBy.sort() }));
}

/** True if the statements that import from files of this name are the same as in the team's file. */
function importsAsBefore({ text, before }: Program, stem: string): boolean {
  if (before === undefined) return false;
  const statement = new RegExp(`^(?:import|export)\\b[^'"]*['"][^'"\\n]*/${stem}\\.\\w+['"]`, 'gm');
  const statements = text.match(statement) ?? [];
  return statements.length > 0 && statements.every((each) => before.includes(each));
}

/** The statement that exports a name, with its comment; undefined if the program has none. */
function exportText({ path, text }: Program, name: string): string | undefined {
  const tree = parseCode(path, text);
  const statements = tree?.program.body ?? [];
  const at = statements.findIndex((each) => namesExportedBy(each).includes(name));
  const found = statements[at];
  if (!found) return undefined;
  const start = found.start ?? 0;
  const lead = text.slice(statements[at - 1]?.end ?? 0, start);
  // Without what stands above an empty line, such as the head of the file.
  return lead.slice(lead.lastIndexOf('\n\n') + 1).trimStart() + text.slice(start, found.end ?? 0);
}

type Statement = ParseResult['program']['body'][number];

/** The names that a program exports, itself or from other files; undefined if this cannot be told. */
function exportsOf(
  { path, text }: Program,
  textAt: TextAt,
  seen: string[] = [],
): Set<string> | undefined {
  const statements = parseCode(path, text)?.program.body;
  if (!statements) return undefined;
  const names = new Set(statements.flatMap(namesExportedBy));
  for (const statement of statements) {
    if (statement.type !== 'ExportAllDeclaration') continue;
    const paths = pathsOfImport(path, statement.source.value);
    const target = paths.find((each) => textAt(each) !== undefined);
    if (target === undefined) return undefined;
    if (seen.includes(target)) continue;
    const other = { path: target, text: textAt(target) ?? '' };
    const more = exportsOf(other, textAt, [...seen, path]);
    if (!more) return undefined;
    for (const name of more) names.add(name);
  }
  return names;
}

function namesExportedBy(statement: Statement): string[] {
  if (statement.type === 'ExportDefaultDeclaration') return ['default'];
  if (statement.type !== 'ExportNamedDeclaration') return [];
  const { declaration, specifiers } = statement;
  const listed = specifiers.map(({ exported }) => nameOf(exported));
  if (!declaration) return listed;
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => namesBoundBy(id));
  }
  return 'id' in declaration && declaration.id ? [nameOf(declaration.id)] : [];
}

/** The names that a declaration binds: one, or those of `{ a, b: c }`. */
function namesBoundBy(pattern: object | null): string[] {
  const node = (pattern ?? {}) as Record<string, unknown>;
  if (typeof node.name === 'string') return [node.name];
  const parts = [node.properties, node.elements, node.value, node.left, node.argument].flat();
  return parts.flatMap((part) => (typeof part === 'object' ? namesBoundBy(part) : []));
}

/** The names that a program imports or re-exports from the file. */
function importedFrom(path: string, importer: Program): string[] {
  const tree = parseCode(importer.path, importer.text);
  return (tree?.program.body ?? []).flatMap((statement) => {
    const isImport = statement.type === 'ImportDeclaration';
    if (!isImport && statement.type !== 'ExportNamedDeclaration') return [];
    if (!statement.source || !leadsTo(path, importer.path, statement.source.value)) return [];
    return statement.specifiers.flatMap((each) => {
      if (each.type === 'ImportSpecifier') return [nameOf(each.imported)];
      if (each.type === 'ImportDefaultSpecifier') return ['default'];
      return each.type === 'ExportSpecifier' ? [nameOf(each.local)] : [];
    });
  });
}

function leadsTo(path: string, importer: string, specifier: string): boolean {
  return specifier.startsWith('.') && pathsOfImport(importer, specifier).includes(path);
}

/** A name may be a string: `export { a as 'b c' }`. */
function nameOf(node: object): string {
  if ('name' in node) return String(node.name);
  return 'value' in node ? String(node.value) : '';
}
