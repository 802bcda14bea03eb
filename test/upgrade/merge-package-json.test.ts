import { describe, expect, test } from 'vitest';
import { json, upgradeFile } from '../support/upgrade-story.js';

describe('package.json', () => {
  const base = {
    name: 'x',
    scripts: { dev: 'tsx', test: 'vitest' },
    dependencies: { express: '^5.0.0', zod: '^4.0.0' },
  };
  const merge = (yours: string, theirs: object) =>
    upgradeFile('package.json', json(base), yours, json(theirs));

  test('gets adjacent dependencies of both sides, in the order and indentation of the team', async () => {
    const { name, scripts, dependencies } = base;
    const yours = json({ dependencies, name, scripts }, '\t');
    const { text, outcomes } = await merge(
      yours.replace('"zod": "^4.0.0"', '"mine": "^1.0.0",\n\t\t"zod": "^4.0.0"'),
      { ...base, dependencies: { ...base.dependencies, luxon: '^3.0.0' } },
    );
    expect(outcomes).toEqual({ 'package.json': 'merged' });
    expect(text('package.json')).toBe(
      json(
        {
          dependencies: { express: '^5.0.0', luxon: '^3.0.0', mine: '^1.0.0', zod: '^4.0.0' },
          name: 'x',
          scripts: base.scripts,
        },
        '\t',
      ),
    );
  });

  test.each([
    ['the higher one that the template accepts', '^4.9.0', '^4.2.0', '^4.9.0', []],
    [
      "the team's next major, and says so",
      '^5.0.0',
      '^4.2.0',
      '^5.0.0',
      ['your ^5.0.0, not ^4.2.0'],
    ],
    [
      "the template's if it is higher",
      '^4.1.0',
      '^4.2.0',
      '^4.2.0',
      ['^4.2.0 instead of your ^4.1.0'],
    ],
    [
      "the template's over a lower pin",
      '4.1.0',
      '^4.2.0',
      '^4.2.0',
      ['^4.2.0 instead of your 4.1.0'],
    ],
  ])('takes of two new ranges %s', async (_, mine, new_, expected, said) => {
    const yours = json({ ...base, dependencies: { ...base.dependencies, zod: mine } });
    const theirs = { ...base, dependencies: { ...base.dependencies, zod: new_ } };
    const { text, pending, notes } = await merge(yours, theirs);
    expect(JSON.parse(text('package.json') ?? '').dependencies.zod).toBe(expected);
    expect(pending).toEqual([]);
    expect(notes).toEqual(said.map((note) => `dependencies.zod: ${note}`));
  });

  test('raises a dependency that the team has moved to another section there', async () => {
    const { express, zod } = base.dependencies;
    const yours = json({ ...base, dependencies: { express }, devDependencies: { zod } });
    const { text, outcomes, notes } = await merge(yours, {
      ...base,
      dependencies: { express: '^5.1.0', zod: '^4.2.0' },
    });
    expect([outcomes, notes]).toEqual([{ 'package.json': 'merged' }, []]);
    expect(JSON.parse(text('package.json') ?? '')).toMatchObject({
      dependencies: { express: '^5.1.0' },
      devDependencies: { zod: '^4.2.0' },
    });
  });

  describe.each([
    ['devDependencies', 'dependencies'],
    ['dependencies', 'devDependencies'],
  ])('with a dependency that the template moves from %s to %s', (from, to) => {
    const a = { name: 'x', [from]: { other: '^1.0.0', zod: '^4.0.0' }, [to]: { last: '^2.0.0' } };
    const movedWith = (zod: string) => ({
      ...a,
      [from]: { other: '^1.0.0' },
      [to]: { last: '^2.0.0', zod },
    });
    const upgradeTo = async (zod: string, yours: object) => {
      const [mine, theirs] = [json(yours), json(movedWith(zod))];
      const { text, pending, notes } = await upgradeFile('package.json', json(a), mine, theirs);
      return { text: text('package.json'), pending, notes };
    };
    const yours = { ...a, [from]: { mine: '^1.0.0', other: '^1.0.0', zod: '^4.5.0' } };
    const expected = (zod: string) => ({
      ...movedWith(zod),
      [from]: { mine: '^1.0.0', other: '^1.0.0' },
    });

    test.each([
      ["the team's range, which is higher", '^4.0.0', '^4.5.0', []],
      ["the team's, of two new ones", '^4.2.0', '^4.5.0', []],
      ["the template's if it is higher", '^4.6.0', '^4.6.0', ['^4.6.0 instead of your ^4.5.0']],
    ])('has it there only, with %s', async (_, new_, range, said) => {
      expect(await upgradeTo(new_, yours)).toEqual({
        text: json(expected(range)),
        pending: [],
        notes: said.map((note) => `${to}.zod: ${note}`),
      });
    });

    test('has it there, in a new section if the team has none', async () => {
      const { name, [from]: own } = yours;
      const { text, pending } = await upgradeTo('^4.2.0', { name, [from]: own });
      const { [from]: left } = expected('^4.5.0');
      expect(JSON.parse(text ?? '')).toEqual({ name, [from]: left, [to]: { zod: '^4.5.0' } });
      expect(pending).toEqual([]);
    });

    test('has it where the team has moved it instead', async () => {
      const { text, notes } = await upgradeTo('^4.2.0', movedWith('^4.5.0'));
      expect(text).toBe(json(movedWith('^4.5.0')));
      expect(notes).toEqual([]);
    });
  });

  test('asks where a version is none', async () => {
    const yours = json({ ...base, dependencies: { ...base.dependencies, zod: 'github:me/zod' } });
    const theirs = { ...base, dependencies: { ...base.dependencies, zod: '^4.2.0' } };
    const { text, pending, notes } = await merge(yours, theirs);
    expect(text('package.json')).toBe(yours);
    expect(text('package.json.template')).toBe(json(theirs));
    expect(pending).toEqual(['package.json']);
    expect(notes).toEqual(['you and the template both changed dependencies.zod: yours stays']);
  });

  test('never has markers: of one changed script the team keeps its own, all else is merged', async () => {
    const yours = json({ ...base, scripts: { dev: 'tsx', test: 'mine' } });
    const { text, outcomes } = await merge(yours, {
      ...base,
      scripts: { dev: 'tsx watch', test: 'new', lint: 'biome' },
    });
    expect(outcomes).toEqual({ 'package.json': 'conflict' });
    expect(JSON.parse(text('package.json') ?? '').scripts).toEqual({
      dev: 'tsx watch',
      test: 'mine',
      lint: 'biome',
    });
  });

  test('lacks what either side removed, and reports what was changed meanwhile', async () => {
    const yours = json({ ...base, scripts: { dev: 'tsx' }, dependencies: { zod: '^4.0.1' } });
    const { text, notes } = await merge(yours, {
      ...base,
      scripts: { dev: 'tsx', test: 'new' },
      dependencies: {},
    });
    expect(JSON.parse(text('package.json') ?? '')).toEqual({
      name: 'x',
      scripts: { dev: 'tsx' },
      dependencies: { zod: '^4.0.1' },
    });
    expect(notes).toEqual([
      'scripts.test: deleted by you, changed by the template; ' +
        'dependencies.zod: dropped by the template, kept because you changed it',
    ]);
  });
});
