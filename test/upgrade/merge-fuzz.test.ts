import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { largest } from '../../scripts/matrix/combinations.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { templatesFolder } from '../../src/package-root.js';
import { planFromTemplates } from '../../src/plan/plan-project.js';
import { isCode, parseCode } from '../../src/upgrade/merge/parse-code.js';
import { cleanEnv } from '../support/cli.js';
import { upgradeFile } from '../support/upgrade-story.js';

// FUZZ_RUNS sets the number of runs, FUZZ_SEED the seed.
const runs = Number(process.env.FUZZ_RUNS ?? 300);
const seed = Number(process.env.FUZZ_SEED ?? 1);

/** mulberry32: the same numbers for the same seed. */
function random(state: number): (below: number) => number {
  let at = state;
  return (below) => {
    at = (at + 0x6d2b79f5) | 0;
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Edits a text as people do; each edit contains the mark. */
type Edit = (text: string, mark: string, pick: (below: number) => number) => string;

const linesOf = (text: string) => text.replace(/\n$/, '').split('\n');
const joined = (lines: string[]) => `${lines.join('\n')}\n`;

/** Inserts a line above one that begins a statement, where the program stays valid. */
const insert =
  (begins: RegExp, line: (mark: string) => string): Edit =>
  (text, mark, pick) => {
    const lines = linesOf(text);
    const places = lines.flatMap((each, index) => (begins.test(each) ? [index] : []));
    const at = places[pick(places.length)];
    if (at === undefined) return text;
    const indent = /^\s*/.exec(lines[at] ?? '')?.[0] ?? '';
    return joined(lines.toSpliced(at, 0, indent + line(mark)));
  };

const replace =
  (pattern: RegExp, by: (found: string, mark: string) => string): Edit =>
  (text, mark, pick) => {
    const found = [...text.matchAll(pattern)];
    const one = found[pick(found.length)];
    if (!one) return text;
    const { index, 0: written } = one;
    return text.slice(0, index) + by(written, mark) + text.slice(index + written.length);
  };

const code: Edit[] = [
  insert(/^import /, (mark) => `import { ${mark} } from './${mark}.js';`),
  insert(/^\s+(const|return|await|if) /, (mark) => `${mark}();`),
  insert(/^(export|function|const) /, (mark) => `const ${mark} = 1;\n`),
  insert(/^\s*(\/\/|const|export) /, (mark) => `// ${mark}`),
  replace(/'[a-z ]{4,}'/g, (_, mark) => `'${mark}'`),
  replace(/\b\d{2,}\b/g, (found, mark) => `${found} + ${mark}`),
  replace(/return [\w.]+;/g, (found, mark) => `${found.slice(0, -1)} ?? ${mark};`),
];
const prose: Edit[] = [
  insert(/^$/, (mark) => `\nA paragraph on ${mark}.`),
  insert(/^[-*|] /, (mark) => `- ${mark}`),
  replace(/\b[a-z]{6,}\b/g, (_, mark) => mark),
];
const lists: Edit[] = [
  insert(/\S/, (mark) => `# ${mark}`),
  insert(/^[A-Z_]+=/, (mark) => `${mark}=1`),
];
const yaml: Edit[] = [insert(/^\s*[\w-]+:/, (mark) => `# ${mark}`)];
const json: Edit[] = [
  (text, mark, pick) => {
    const data = JSON.parse(text) as Record<string, unknown>;
    const objects = Object.values(data).filter(
      (each): each is Record<string, unknown> => typeof each === 'object' && !Array.isArray(each),
    );
    const target = [data, ...objects][pick(objects.length + 1)] ?? data;
    target[mark] = mark;
    return `${JSON.stringify(data, null, 2)}\n`;
  },
];

/** What a team's formatter or git checkout does to a whole file. */
const layouts: ((text: string) => string)[] = [
  (text) => text.replaceAll(/^( {2})+/gm, (indent) => '\t'.repeat(indent.length / 2)),
  (text) => text.replaceAll(/;$/gm, ''),
  (text) => text.replaceAll('\n', '\r\n'),
];

function editsOf(path: string, kind: string): Edit[] {
  if (kind === 'json') return json;
  if (kind === 'yaml') return yaml;
  if (kind === 'lines') return lists;
  if (isCode(path)) return code;
  return path.endsWith('.md') ? prose : [];
}

const folder = mkdtempSync(join(tmpdir(), 'merge-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** @returns what git makes of it; undefined where it conflicts */
function byGit(base: string, yours: string, theirs: string): string | undefined {
  for (const [name, text] of Object.entries({ o: base, u: yours, t: theirs })) {
    writeFileSync(join(folder, name), text);
  }
  try {
    const options = { cwd: folder, encoding: 'utf8', env: cleanEnv(), stdio: 'pipe' } as const;
    return execFileSync('git', ['merge-file', '-p', 'u', 'o', 't'], options);
  } catch {
    return undefined;
  }
}

const catalog = readCatalog(templatesFolder);
const { files } = planFromTemplates(catalog, largest(catalog));
const mergeable = files.filter(({ path, kind }) => editsOf(path, kind).length > 0);

test(`${runs} merges of the emitted files lose nothing of either side`, async () => {
  const figures = {
    clean: 0,
    conflicts: 0,
    sameAsGit: 0,
    onlyGitConflicts: 0,
    onlyOursConflicts: 0,
  };
  const faults: string[] = [];
  for (let run = 0; run < runs; run += 1) {
    const pick = random(seed * 1_000_000 + run);
    const file = mergeable[pick(mergeable.length)];
    if (!file) throw new Error('there are no files');
    const { path, kind, content } = file;
    const edits = editsOf(path, kind);
    const base = content.toString();
    const side = (name: string) => {
      const marks = Array.from({ length: 1 + pick(3) }, (_, index) => `${name}${run}x${index}`);
      const text = marks.reduce((before, mark) => {
        const edit = edits[pick(edits.length)];
        return edit ? edit(before, mark, pick) : before;
      }, base);
      return { text, marks: marks.filter((mark) => text.includes(mark)) };
    };
    const [team, template] = [side('mine'), side('theirs')];
    const layout = kind === 'text' && pick(4) === 0 ? layouts[pick(layouts.length)] : undefined;
    const yours = layout ? layout(team.text) : team.text;
    const merged = await upgradeFile(path, base, yours, template.text);
    const result = merged.text(path) ?? '';
    const beside = merged.text(`${path}.template`) ?? '';
    const isClean = merged.pending.length === 0;
    const fault = (what: string) => faults.push(`run ${run}, ${path}: ${what}`);
    for (const mark of team.marks) if (!result.includes(mark)) fault(`lost ${mark}`);
    for (const mark of template.marks) {
      if (![result, beside, merged.notes.join()].some((text) => text.includes(mark))) {
        fault(`lost ${mark}`);
      }
    }
    if (merged.again.length > 0) fault(`a second run writes ${merged.again}`);
    const isProgram = (text: string) => !isCode(path) || parseCode(path, text) !== undefined;
    // An edit in the middle of an expression may break one side itself.
    const arePrograms = isProgram(yours) && isProgram(template.text);
    if (isClean && arePrograms && !isProgram(result)) fault('is no program');
    const git = byGit(base, yours, template.text);
    figures[isClean ? 'clean' : 'conflicts'] += 1;
    if (isClean && git === result) figures.sameAsGit += 1;
    if (isClean && git === undefined) figures.onlyGitConflicts += 1;
    if (!isClean && git !== undefined) figures.onlyOursConflicts += 1;
  }
  console.log(`${runs} merges, seed ${seed}: ${JSON.stringify(figures)}`);
  expect(faults).toEqual([]);
});
