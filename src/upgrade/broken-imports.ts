import { dirname, join, relative } from 'node:path/posix';

/** A file as an upgrade leaves it. */
export interface PlacedFile {
  path: string;
  text: string;
  /** Where the template has it, if the upgrade writes it. */
  templatePath?: string;
  /** Its path in the project before the upgrade. */
  from?: string | undefined;
}

/** Where files are. */
export interface FileLocations {
  /** Paths of the template's files in the project, by their path in the template. */
  places: ReadonlyMap<string, string>;
  /** Where the upgrade moves files, by their old path. */
  moves: ReadonlyMap<string, string>;
  /** Every path that has a file afterwards. */
  there: ReadonlySet<string>;
}

/**
 * The path that an import should have, in place of one that leads nowhere because the team or the template has moved its
 * target, or the file itself; undefined if nobody knows.
 */
export function insteadOf(
  written: string,
  { path, templatePath, from }: PlacedFile,
  { places, moves, there }: FileLocations,
): string | undefined {
  const fromTemplate =
    templatePath === undefined ? undefined : placeOf(targetOf(templatePath, written), places);
  const target = targetOf(from ?? path, written);
  const stays = from !== undefined && exists(target, there) ? target : undefined;
  const place = fromTemplate ?? placeOf(target, moves) ?? stays;
  return place && specifierOf(path, place, written);
}

/** True if the path of an import leads to a file or a folder afterwards. */
export function leadsSomewhere(
  importer: string,
  specifier: string,
  { there }: FileLocations,
): boolean {
  return exists(targetOf(importer, specifier), there);
}

/**
 * A text of the template as it reads at another path, where its imports lead to the places of their files.
 * @param places in the project, by path in the template; what the team has at the template's path comes first
 */
export function rebased(
  { path, templatePath, text }: Required<Omit<PlacedFile, 'from'>>,
  places: ReadonlyMap<string, string>,
  there: ReadonlySet<string>,
): string {
  return relativeSpecifiers(text).reduceRight((result, { offset, path: written }) => {
    const target = targetOf(templatePath, written);
    const place = exists(target, there) ? target : (placeOf(target, places) ?? target);
    if (namesOf(targetOf(path, written)).includes(place)) return result;
    const other = specifierOf(path, place, written);
    return result.slice(0, offset) + other + result.slice(offset + written.length);
  }, text);
}

/** The new place of a file, or of a folder if everything that was in it is in one place. */
function placeOf(target: string, places: ReadonlyMap<string, string>): string | undefined {
  const file = namesOf(target).find((name) => places.has(name));
  if (file !== undefined) return places.get(file);
  const below = [...places].filter(([path]) => path.startsWith(`${target}/`));
  const folders = below.map(([path, place]) => {
    const rest = path.slice(target.length);
    return place.endsWith(rest) ? place.slice(0, -rest.length) : undefined;
  });
  const [folder, ...others] = new Set(folders);
  return others.length === 0 ? folder : undefined;
}

/** The paths at which an import may find its file. */
export function pathsOfImport(importer: string, specifier: string): string[] {
  return namesOf(targetOf(importer, specifier));
}

function exists(target: string, there: ReadonlySet<string>): boolean {
  const isFolder = () => [...there].some((path) => path.startsWith(`${target}/`));
  return target === '.' || namesOf(target).some((name) => there.has(name)) || isFolder();
}

function targetOf(importer: string, specifier: string): string {
  return join(dirname(importer), specifier).replace(/\/$/, '');
}

/** An import names the file that the compiler emits. */
function namesOf(target: string): string[] {
  return [target, target.replace(/\.js$/, '.ts')];
}

function specifierOf(importer: string, place: string, written: string): string {
  const path = relative(dirname(importer), place);
  const named = written.endsWith('.js') ? path.replace(/\.ts$/, '.js') : path;
  const whole = written.endsWith('/') ? `${named || '.'}/` : named;
  return whole.startsWith('.') ? whole : `./${whole}`;
}

/** All relative paths by which the text names other files, and where they begin in it. */
export function relativeSpecifiers(text: string) {
  return specifiersIn(text, /(['"`])(\.{1,2}\/[^'"`$\n]+)\1/g);
}

/** The paths that may be an alias of a team: from `imports` in package.json, or `paths` in tsconfig.json. */
export function aliasSpecifiers(text: string) {
  return specifiersIn(text, /(['"`])((?:[#~@]|src\/)[^'"`$\n]+)\1/g);
}

/** True for `#http/app.js`, `@/http/app` or `@mine/http/app` if the path is `src/http/app.ts`. */
export function isAliasOf(specifier: string, path: string): boolean {
  const withoutEnd = (name: string) => name.replace(/\.[cm]?[jt]sx?$/, '');
  const [named, below] = [withoutEnd(specifier), withoutEnd(path.replace(/^src\//, ''))];
  if (!named.endsWith(below)) return false;
  const before = named.slice(0, -below.length);
  // `@types/node` is a package, whatever is at src/node.ts.
  const isScope = /^@[\w-]+\/$/.test(before) && !below.includes('/');
  return !isScope && /^(?:[#~@](?:[\w-]*\/)?|src\/)$/.test(before);
}

/** The number of a position's line, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function specifiersIn(text: string, quoted: RegExp) {
  return [...text.matchAll(quoted)].flatMap(({ index, 2: path = '' }) => {
    const lead = text.slice(Math.max(0, index - longestLead), index);
    return naming.test(lead) ? [{ offset: index + 1, path }] : [];
  });
}

const longestLead = 250;

/** What precedes the quotes. The types of a call may contain an import of their own. */
const naming = new RegExp(
  [
    String.raw`\b(?:from|import|declare\s+module)\s*$`,
    String.raw`\b(?:import|require|require\.resolve|import\.meta\.resolve)\s*\(\s*$`,
    String.raw`\b(?:vi|jest)\s*\.\s*\w+\s*(?:<[^;]*>)?\s*\(\s*$`,
    String.raw`\bnew\s+URL\s*\(\s*$`,
  ].join('|'),
);
