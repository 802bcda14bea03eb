import { posix } from 'node:path';
import type { Plan, PlannedFile } from '../../src/plan/plan-project.js';
import { productionPackages } from './production-packages.js';

/** One figure of an emitted service. */
interface Figure {
  /** Its key in `ceiling.json`; undefined if it may grow: a longer median file is no defect. */
  key?: string;
  title: string;
  value: number;
  /** How it is shown, if not as a number. */
  text?: string;
}

/** More than a person takes in at a glance. */
const crowded = 15;

/**
 * How large an emitted service is; lines are counted as `wc -l` does. Source is `src/` and `migrations/` without tests.
 */
export function figuresOf({ files }: Plan): Figure[] {
  const code = files.filter(isCode);
  const [source, tests] = [code.filter((file) => !isTest(file)), code.filter(isTest)];
  const byLength = source
    .map((file) => ({ path: file.path, lines: linesOf(file) }))
    .sort((a, b) => a.lines - b.lines);
  const largest = byLength.at(-1) ?? { path: '', lines: 0 };
  const entries = entriesByFolder(files.filter(({ path }) => path.startsWith('src/')));
  const folders = [...entries.values()].filter(({ size }) => size > crowded).length;
  const figure = (key: string, title: string, value: number): Figure => ({ key, title, value });
  return [
    figure('sourceFiles', 'source without tests: files', source.length),
    figure('sourceLines', 'lines', linesOfAll(source)),
    {
      title: 'lines of the median file',
      value: byLength[Math.floor(byLength.length / 2)]?.lines ?? 0,
    },
    {
      title: 'lines of the largest file',
      value: largest.lines,
      text: `${largest.lines} (\`${largest.path}\`)`,
    },
    // Tests included: what a reader sees first.
    figure('entriesOfSrc', 'entries directly below `src/`', entries.get('src')?.size ?? 0),
    figure('crowdedFolders', `folders with more than ${crowded} entries`, folders),
    figure('testFiles', 'tests: files', tests.length),
    figure('testLines', 'tests: lines', linesOfAll(tests)),
    // Without `.create-auth-service/`; `.env` is generated at creation.
    figure('files', 'files in the project', files.length + 1),
    // The dependencies, and their dependencies.
    figure('packages', 'packages in production', productionPackages(dependenciesOf(files)).size),
  ];
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
