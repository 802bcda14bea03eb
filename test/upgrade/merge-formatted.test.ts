import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repositoryFolder } from '../../scripts/matrix/child.js';
import { mergeText } from '../../src/upgrade/merge/merge-text.js';
import { parseCode } from '../../src/upgrade/merge/parse-code.js';
import { scratchFolder } from '../support/cli.js';
import { type Files, readFiles, writeFiles } from '../support/files.js';
import { isTest, repositoryFiles, textOf } from '../support/repository.js';
import { lines, upgradeFile } from '../support/upgrade-story.js';

describe('code that the team has formatted its own way and edited', () => {
  const base = lines(
    "import { greet } from './greet.js';",
    '',
    'export function hello(name: string) {',
    '  const text = greet(name);',
    '  const mark = (1 + 2) * 3;',
    '  return [text, mark];',
    '}',
    '',
    "export const colors = ['red', 'green'];",
  );
  const yours = lines(
    'import { greet } from "./greet.js"',
    '',
    'export function hello(',
    '\tname: string,',
    ') {',
    '\tconst text = greet(name)',
    '\tconst mark = (1 + 2) * 3',
    '\tlog(text)',
    '\treturn [text, mark]',
    '}',
    '',
    'export const colors = ["red", "green"]',
  );

  test('merges with what the template changes elsewhere', async () => {
    const theirs = base.replace("'green'", "'blue'").replace('greet(name)', 'greet(name.trim())');
    const { outcomes, text, notes } = await upgradeFile('src/a.ts', base, yours, theirs);
    expect(outcomes).toEqual({ 'src/a.ts': 'merged' });
    expect(text('src/a.ts')).toBe(theirs.replace('  return [text', '\tlog(text)\n  return [text'));
    expect(notes).toEqual([
      'you had formatted it: it is in the format of the template again, with your changes',
    ]);
  });

  test('conflicts where both changed the same, and nowhere else', async () => {
    const theirs = base.replace('  return [text, mark];', '  return { text, mark };');
    const mine = yours.replace('return [text, mark]', 'return [mark, text]');
    const { outcomes, text } = await upgradeFile('src/a.ts', base, mine, theirs);
    expect(outcomes).toEqual({ 'src/a.ts': 'conflict' });
    expect(text('src/a.ts')).toBe(
      base.replace(
        '  return [text, mark];\n',
        lines(
          '<<<<<<< yours',
          '\tlog(text)',
          '  return [mark, text];',
          '||||||| create-auth-service 0.1.0',
          '  return [text, mark];',
          '=======',
          '  return { text, mark };',
          '>>>>>>> create-auth-service 0.2.0',
        ),
      ),
    );
  });

  test('keeps parentheses that mean something', async () => {
    const mine = yours.replace('(1 + 2) * 3', '(1 + 2 * 3)').replace('[text, mark]', '[text]');
    const theirs = base.replace("'green'", "'blue'");
    const { text } = await upgradeFile('src/a.ts', base, mine, theirs);
    expect(text('src/a.ts')).toContain('(1 + 2 * 3)');
    expect(text('src/a.ts')).not.toContain('(1 + 2) * 3');
  });
});

describe('what a formatter makes of a file', () => {
  const style = {
    root: true,
    formatter: { indentStyle: 'tab', lineWidth: 60 },
    javascript: {
      formatter: { quoteStyle: 'double', semicolons: 'asNeeded', arrowParentheses: 'asNeeded' },
    },
  };

  /** The files as a formatter with a different style writes them. */
  function formatted(files: Files): Files {
    const folder = scratchFolder();
    writeFiles(folder, { ...files, 'biome.json': JSON.stringify(style) });
    const biome = join(repositoryFolder, 'node_modules/.bin/biome');
    execFileSync(biome, ['format', '--write', '.'], { cwd: folder, stdio: 'ignore' });
    return readFiles(folder);
  }

  test('does not change the result of a merge with the template', async () => {
    const sources = repositoryFiles('templates/base/files/src/http').filter(
      (path) => !isTest(path),
    );
    const [plain, relaid]: [Files, Files] = [{}, {}];
    const stories = await Promise.all(sources.map(storyOf));
    const told = stories.filter((story) => story !== undefined);
    const teams = formatted(Object.fromEntries(told.map(({ path, yours }) => [path, yours])));
    for (const { path, base, yours, theirs } of told) {
      plain[path] = await merged(path, base, yours, theirs);
      relaid[path] = await merged(path, base, teams[path] ?? '', theirs);
    }
    expect(told.length).toBeGreaterThan(10);
    expect(formatted(relaid)).toEqual(formatted(plain));
  });
});

/** A file of the templates, with an edit of the team near its beginning and one of the template near its end. */
async function storyOf(path: string) {
  const base = textOf(path);
  const all = base.split('\n');
  const statements = all.flatMap((line, at) => (/^ {2}(const|if|return) /.test(line) ? [at] : []));
  const [first = 0, last = 0] = [statements[0], statements.at(-1)];
  if (!/\.ts$/.test(path) || last - first < 2) return undefined;
  const yours = all.toSpliced(first, 0, "  team({ is: 'here' }, [1, 2, 3]);").join('\n');
  const theirs = all.toSpliced(last, 0, "  template('is', 'here');").join('\n');
  const arePrograms = parseCode(path, yours) && parseCode(path, theirs);
  return arePrograms ? { path, base, yours, theirs } : undefined;
}

/** @throws Error if there is a conflict */
async function merged(path: string, ...texts: [string, string, string]): Promise<string> {
  const [base, yours, theirs] = texts.map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];
  const labels = { from: '0.1.0', to: '0.2.0' };
  const versions = { path, kind: 'text', owner: 'ours', base, yours, theirs, labels } as const;
  const { content, conflict } = mergeText(versions);
  if (conflict) throw new Error(`${path}\n${content}`);
  return content.toString();
}

describe('a style sheet that the team has indented its own way and edited', () => {
  const base = lines('.a {', '  color: red;', '  margin: 0;', '  padding: 0;', '}');
  const yours = base.replaceAll('\n  ', '\n    ').replace('padding: 0', 'padding: 1px');

  test('merges with what the template changes elsewhere', async () => {
    const theirs = base.replace('red', 'blue');
    const { outcomes, text } = await upgradeFile('src/a.css', base, yours, theirs);
    expect(outcomes).toEqual({ 'src/a.css': 'merged' });
    expect(text('src/a.css')).toContain('  color: blue;\n');
    expect(text('src/a.css')).toContain('    padding: 1px;\n');
  });

  test('is unedited without the edit', async () => {
    const formatted = base.replaceAll('\n  ', '\n\t');
    const { outcomes } = await upgradeFile('src/a.css', base, formatted, `${base}.b {}\n`);
    expect(outcomes).toEqual({ 'src/a.css': 'updated' });
  });

  test('conflicts where both changed the same line', async () => {
    const theirs = base.replace('padding: 0', 'padding: 2px');
    expect((await upgradeFile('src/a.css', base, yours, theirs)).outcomes).toEqual({
      'src/a.css': 'conflict',
    });
  });
});
