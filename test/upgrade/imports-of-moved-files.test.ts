import { describe, expect, test } from 'vitest';
import {
  applied,
  edited,
  emitted,
  type InMemoryProject,
  textAt,
  upgradeTo,
} from '../support/in-memory-project.js';
import { lines, upgrade } from '../support/upgrade-story.js';

describe('imports of what the team has moved', () => {
  const files = {
    'src/health/index.ts': lines(
      "import '../clock.js';",
      'export const a = 1;',
      'export const d = 4;',
    ),
    'src/health/state.ts': lines("import './index.js';", 'export const b = 2;'),
    'src/clock.ts': lines('export const now = 0;'),
    'src/list.ts': lines(
      "import './clock.js';",
      "import './health/index.js';",
      '',
      'one();',
      'two();',
    ),
  };
  const edits = {
    'src/health/index.ts': undefined,
    'src/health/state.ts': undefined,
    'src/ops/probes/index.ts': lines(
      "import '../../clock.js';",
      'export const a = 1;',
      'export const d = 4;',
    ),
    'src/ops/probes/state.ts': files['src/health/state.ts'],
    'src/list.ts': files['src/list.ts'].replace('./health/', './ops/probes/'),
  };

  test('a new file that went along imports from where things are', async () => {
    const importer = [
      "import { now } from '../clock.js';",
      "import type { a } from './index.js';",
      'export const c = () => import("../list.js");',
    ];
    const story = await upgrade({
      from: files,
      to: { ...files, 'src/health/new.ts': lines(...importer) },
      edits,
    });
    expect(story.outcomes).toMatchObject({ 'src/ops/probes/new.ts': 'added' });
    expect(story.text('src/ops/probes/new.ts')).toBe(
      lines(
        "import { now } from '../../clock.js';",
        "import type { a } from './index.js';",
        'export const c = () => import("../../list.js");',
      ),
    );
    expect(story.nextSteps).toEqual([]);
    expect(story.again).toEqual([]);
  });

  test('are no edit of a file that the template drops or changes', async () => {
    const list = lines("import './clock.js';", '', 'one();', 'two();');
    const story = await upgrade({
      from: files,
      to: { 'src/clock.ts': files['src/clock.ts'], 'src/list.ts': list },
      edits,
    });
    expect(story.outcomes).toEqual({
      'src/clock.ts': 'unchanged',
      'src/list.ts': 'updated',
      'src/ops/probes/index.ts': 'removed',
      'src/ops/probes/state.ts': 'removed',
    });
    expect(story.text('src/list.ts')).toBe(list);
    expect(story.nextSteps).toEqual([]);
    expect(story.again).toEqual([]);
  });

  test('a new file that stays where the template has it finds what went away', async () => {
    const story = await upgrade({
      from: files,
      to: { ...files, 'src/new.ts': lines("export * from './health/state.js';") },
      edits,
    });
    expect(story.text('src/new.ts')).toBe(lines("export * from './ops/probes/state.js';"));
  });

  test('in a file that both have changed they lead to a new file that went along', async () => {
    const list = files['src/list.ts'].replace('two();', "two();\nimport './health/new.js';");
    const story = await upgrade({
      from: files,
      to: { ...files, 'src/list.ts': list, 'src/health/new.ts': 'export {};\n' },
      edits: { ...edits, 'src/list.ts': `ours();\n${edits['src/list.ts']}` },
    });
    expect(story.outcomes).toMatchObject({ 'src/list.ts': 'merged' });
    expect(story.text('src/list.ts')).toContain("import './ops/probes/new.js';");
    expect(story.nextSteps).toEqual([]);
  });

  test('in a file that both have changed they lead to where the template moves a file in the moved folder', async () => {
    const { 'src/health/index.ts': index, ...others } = files;
    const story = await upgrade({
      from: files,
      to: {
        ...others,
        'src/health/probe.ts': index,
        'src/health/state.ts': lines("import './probe.js';", 'export const b = 2;'),
        'src/list.ts': files['src/list.ts'].replace('health/index', 'health/probe'),
      },
      renamed: { 'src/health/probe.ts': 'src/health/index.ts' },
      edits,
    });
    expect(story.text('src/list.ts')).toContain("import './ops/probes/probe.js';");
    expect(story.outcomes).toMatchObject({ 'src/ops/probes/probe.ts': 'moved' });
    expect(story.pending).toEqual([]);
    expect(story.nextSteps).toEqual([]);
    expect(story.again).toEqual([]);
  });

  test('in a file that the team has moved to another depth, new ones are as they have to be there', async () => {
    const start = (...imports: string[]) =>
      lines(...imports.map((path) => `import '${path}';`), '', 'test();');
    const moved = {
      'src/a/login.ts': 'x();\n',
      'src/http.ts': 'y();\n',
      'src/a/more.ts': 'z();\n',
    };
    const [before, after] = [
      ['../http.js', './login.js'],
      ['../http.js', './login.js', './more.js'],
    ];
    const story = await upgrade({
      from: { ...moved, 'src/a/login.test.ts': start(...before) },
      to: { ...moved, 'src/a/login.test.ts': start(...after) },
      edits: {
        'src/a/login.test.ts': undefined,
        'src/a/tests/login.test.ts': start('../../http.js', '../login.js'),
        // Would be found from there, but is not what is meant.
        'src/a/tests/more.ts': 'mine();\n',
      },
    });
    expect(story.outcomes).toMatchObject({ 'src/a/tests/login.test.ts': 'updated' });
    expect(story.text('src/a/tests/login.test.ts')).toBe(
      start('../../http.js', '../login.js', '../more.js'),
    );
    expect(story.nextSteps).toEqual([]);
    expect(story.again).toEqual([]);
  });

  test('what the team has left in the old place is found there', async () => {
    const release = (version: string, list: string) => ({
      version,
      files: { ...files, 'src/list.ts': list },
    });
    const [first, second] = [files['src/list.ts'], `${files['src/list.ts']}three();\n`];
    const before = edited(emitted(release('0.1.0', first)), edits);
    const remembered = applied(before, await upgradeTo(before, release('0.2.0', second)));
    const shim = lines("export * from '../ops/probes/state.js';");
    const kept = edited(remembered, { 'src/health/state.ts': shim });
    const third = `${second}import './health/state.js';\n`;
    const listAfter = async (project: InMemoryProject) => {
      const plan = await upgradeTo(project, release('0.3.0', third));
      expect(plan.nextSteps).toEqual([]);
      return textAt(applied(project, plan), 'src/list.ts');
    };
    expect(await listAfter(kept)).toContain("import './health/state.js';");
    expect(await listAfter(remembered)).toContain("import './ops/probes/state.js';");
  });
});
