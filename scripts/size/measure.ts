import { posix } from 'node:path';
import type { Plan, PlannedFile } from '../../src/plan/plan-project.js';
import { productionPackages } from './production-packages.js';

/**
 * How large an emitted service is; lines are counted as `wc -l` does. Source is `src/` and `migrations/` without tests.
 */
export interface Size {
  sourceFiles: number;
  sourceLines: number;
  medianLines: number;
  largest: { path: string; lines: number };
  /** Files and folders directly below `src/`, tests included: what a reader sees first. */
  entriesOfSrc: number;
  /** Folders of `src/` with more than 15 entries. */
  crowdedFolders: number;
  testFiles: number;
  testLines: number;
  /** All files of the project, but for `.create-auth-service/`. */
  files: number;
  /** Packages that are installed for production: the dependencies, and their dependencies. */
  packages: number;
}

/** More than a person takes in at a glance. */
const CROWDED = 15;

export function sizeOf({ files }: Plan): Size {
  const code = files.filter(isCode);
  const [source, tests] = [code.filter((file) => !isTest(file)), code.filter(isTest)];
  const lengths = source
    .map((file) => ({ path: file.path, lines: linesOf(file) }))
    .sort((a, b) => a.lines - b.lines);
  const entries = entriesByFolder(files.filter(({ path }) => path.startsWith('src/')));
  return {
    sourceFiles: source.length,
    sourceLines: linesOfAll(source),
    medianLines: lengths[Math.floor(lengths.length / 2)]?.lines ?? 0,
    largest: lengths.at(-1) ?? { path: '', lines: 0 },
    entriesOfSrc: entries.get('src')?.size ?? 0,
    crowdedFolders: [...entries.values()].filter(({ size }) => size > CROWDED).length,
    testFiles: tests.length,
    testLines: linesOfAll(tests),
    // `.env` is generated at creation.
    files: files.length + 1,
    packages: productionPackages(dependenciesOf(files)).size,
  };
}

function isCode({ path }: PlannedFile): boolean {
  return /^(src|migrations|test)\/.*\.[cm]?[jt]s$/.test(path);
}

function isTest({ path }: PlannedFile): boolean {
  return path.startsWith('test/') || path.endsWith('.test.ts');
}

function linesOf({ content }: PlannedFile): number {
  return content.toString().split('\n').length - 1;
}

function linesOfAll(files: PlannedFile[]): number {
  return files.reduce((total, file) => total + linesOf(file), 0);
}

/** The names directly in each folder. */
function entriesByFolder(files: PlannedFile[]): Map<string, Set<string>> {
  const entries = new Map<string, Set<string>>();
  for (const { path } of files) {
    for (let below = path; below.includes('/'); below = posix.dirname(below)) {
      const folder = posix.dirname(below);
      entries.set(folder, (entries.get(folder) ?? new Set()).add(posix.basename(below)));
    }
  }
  return entries;
}

function dependenciesOf(files: PlannedFile[]): string[] {
  const packageJson = files.find(({ path }) => path === 'package.json');
  return Object.keys(JSON.parse(String(packageJson?.content)).dependencies);
}
