import { describe, expect, test, vi } from 'vitest';
import { lines, upgradeFile } from '../support/upgrade-story.js';

describe('YAML', () => {
  const base = lines(
    'services:',
    '  db:',
    '    image: postgres:16',
    '    ports: ["1:1"]',
    'volumes:',
    '  data:',
  );

  test('is merged by line where that is clean: every comment and blank stays', async () => {
    const yours = base.replace('volumes:', '\n# Where it is kept.\nvolumes:');
    const theirs = base.replace('postgres:16', 'postgres:17');
    const { text } = await upgradeFile('compose.yaml', base, yours, theirs);
    expect(text('compose.yaml')).toBe(yours.replace('postgres:16', 'postgres:17'));
  });

  test('is merged by key where lines clash, never with markers', async () => {
    const yours = base.replace('    ports:', '    restart: always # we say so\n    ports:');
    const theirs = base.replace('    ports:', '    init: true\n    ports:');
    const { text, outcomes } = await upgradeFile('compose.yaml', base, yours, theirs);
    expect(outcomes).toEqual({ 'compose.yaml': 'merged' });
    expect(text('compose.yaml')).toContain('    restart: always # we say so\n');
    expect(text('compose.yaml')).toContain('    init: true\n');
  });

  test('has the steps of both sides, each where it belongs', async () => {
    const steps = lines('steps:', '  - uses: checkout', '  - run: npm ci # clean');
    const yours = steps + lines('  - run: ./deploy.sh # ours', '    if: main');
    const theirs = steps + lines('  - name: Pending', '    run: check');
    const { text, outcomes } = await upgradeFile('ci.yml', steps, yours, theirs);
    expect(outcomes).toEqual({ 'ci.yml': 'merged' });
    expect(text('ci.yml')).toBe(
      steps +
        lines('  - name: Pending', '    run: check', '  - run: ./deploy.sh # ours', '    if: main'),
    );
  });

  test('asks where both may have changed one step', async () => {
    const steps = lines('steps:', '  - name: Test', '    run: test', '  - run: pack');
    const { outcomes } = await upgradeFile(
      'ci.yml',
      steps,
      steps.replace('run: test', 'run: test --mine'),
      steps.replace('run: test', 'run: test --new'),
    );
    expect(outcomes).toEqual({ 'ci.yml': 'conflict' });
  });

  test('keeps what the team has where both changed one value, with the new one beside', async () => {
    const yours = base.replace('postgres:16', 'mine');
    const theirs = base.replace('postgres:16', 'postgres:17');
    const { text, outcomes, notes } = await upgradeFile('compose.yaml', base, yours, theirs);
    expect(outcomes).toEqual({ 'compose.yaml': 'conflict' });
    expect(text('compose.yaml')).toContain('image: mine');
    expect(text('compose.yaml.template')).toBe(theirs);
    expect(notes).toEqual(['you and the template both changed services.db.image: yours stays']);
  });

  test('leaves what nobody has changed as it was written, with its comments', async () => {
    const untouched = lines(
      '    environment:',
      '      ACCOUNT: 012345678901 # of AWS',
      '      TENANT: 12345678901234567890',
      '      BUILD: 12e03',
      '      UMASK: 0027',
      '      PHONE: +4915112345678',
      '      VERSION: 1.10',
      '    build: !reset null',
      '    profiles: [main]',
    );
    const yours = base.replace('    ports:', `${untouched}    restart: always\n    ports:`);
    const theirs = base.replace('    ports:', '    init: true\n    ports:');
    const { text, outcomes } = await upgradeFile('compose.yaml', base, yours, theirs);
    expect(outcomes).toEqual({ 'compose.yaml': 'merged' });
    expect(text('compose.yaml')).toBe(yours.replace('16\n', '16\n    init: true\n'));
  });

  test.each([
    ['placeholders of a template engine', '    labels: {{ .Values.labels }}'],
    ['comments in columns', '    restart: always    # ours'],
    ['lists that are not indented', '    profiles:\n    - main'],
    ['blanks in brackets', '    profiles: [ main ]'],
    ['sides that share an anchor', '    labels: &l {a: 1}   \n    annotations: *l'],
  ])('merged by key keeps %s', async (_, line) => {
    const warned = vi.spyOn(process, 'emitWarning');
    const yours = base.replace('    ports:', `${line}\n    ports:`);
    const theirs = base.replace('    ports:', '    init: true\n    ports:');
    const { text, outcomes } = await upgradeFile('compose.yaml', base, yours, theirs);
    expect(outcomes).toEqual({ 'compose.yaml': 'merged' });
    expect(text('compose.yaml')).toBe(yours.replace('16\n', '16\n    init: true\n'));
    expect(warned).not.toHaveBeenCalled();
  });

  test.each([
    ['four blanks a level', '    test:', '        steps:', '            - run: '],
    ['lists that are not indented', '  test:', '    steps:', '    - run: '],
  ])('gets what is new in the layout of the team: %s', async (_, job, steps, run) => {
    const before = lines('on: [push]', 'jobs:', '  test:', '    steps:', '      - run: a');
    const laid = ['jobs:', job, steps, `${run}a`];
    const theirs = before.replace('[push]', '[push, merge]') + lines('      - run: new');
    const yours = lines('on: [ push ]', ...laid, `${run}mine`);
    const { text, outcomes } = await upgradeFile('ci.yml', before, yours, theirs);
    expect(outcomes).toEqual({ 'ci.yml': 'merged' });
    expect(text('ci.yml')).toBe(lines('on: [ push, merge ]', ...laid, `${run}new`, `${run}mine`));
  });

  test('is not merged by key where the change concerns a line that would be written in another way', async () => {
    const yours = base.replace('["1:1"]', '["1:1"]    # ours');
    const theirs = base.replace('"1:1"', '"1:1", "2:2"');
    const { text, outcomes, notes } = await upgradeFile('compose.yaml', base, yours, theirs);
    expect(outcomes).toEqual({ 'compose.yaml': 'conflict' });
    expect([text('compose.yaml'), text('compose.yaml.template')]).toEqual([yours, theirs]);
    expect(notes).toEqual(['you and the template both changed the same lines: yours stays']);
  });

  test('gives the comment above a first key to no other key', async () => {
    const yours = base.replace('  db:', '  # Ours.\n  db:');
    const theirs = base.replace('  db:', '  # New.\n  cache:\n    image: valkey\n  db:');
    const { text } = await upgradeFile('compose.yaml', base, yours, theirs);
    expect(text('compose.yaml')).toBe(theirs.replace('  db:', '  # Ours.\n  db:'));
  });

  const steps = lines('steps:', '  - run: a', '  - run: b', '  - run: c');

  test.each([
    ['stays before the step that the template changed', '  - run: b', '  - run: mine\n  - run: b'],
    ['stays after the step that the template changed', '  - run: b', '  - run: b\n  - run: mine'],
  ])('a step of the team %s', async (_, step, withMine) => {
    const yours = steps.replace(step, withMine);
    const theirs = steps.replace('run: b', 'run: b2');
    const { text, outcomes } = await upgradeFile('ci.yml', steps, yours, theirs);
    expect(outcomes).toEqual({ 'ci.yml': 'merged' });
    expect(text('ci.yml')).toBe(yours.replace('run: b', 'run: b2'));
  });

  test('a new step stays after the step that the team changed', async () => {
    const yours = steps.replace('run: b', 'run: b --mine');
    const theirs = steps.replace('  - run: c', '  - run: new\n  - run: c');
    const { text, outcomes } = await upgradeFile('ci.yml', steps, yours, theirs);
    expect(outcomes).toEqual({ 'ci.yml': 'merged' });
    expect(text('ci.yml')).toBe(yours.replace('  - run: c', '  - run: new\n  - run: c'));
  });

  test('asks where the template changed all the steps between which the team has its own', async () => {
    const yours = steps.replace('  - run: b', '  # b needs it\n  - run: mine\n  - run: b');
    const theirs = steps.replace('run: a', 'run: a2').replace('run: b', 'run: b2');
    const { text, outcomes } = await upgradeFile('ci.yml', steps, yours, theirs);
    expect(outcomes).toEqual({ 'ci.yml': 'conflict' });
    expect(text('ci.yml')).toBe(yours);
  });

  test('asks where the team removed a step that the template changed', async () => {
    const yours = steps.replace('  - run: b\n', '');
    const theirs = steps.replace('run: b', 'run: b2');
    const { text, outcomes } = await upgradeFile('ci.yml', steps, yours, theirs);
    expect(outcomes).toEqual({ 'ci.yml': 'conflict' });
    expect(text('ci.yml')).toBe(yours);
  });

  test.each([
    ['the team uses it', 'x: &k 1\n  m: *k\n  y: 1'],
    ['it never was there', 'x: 1\n  m: *k\n  y: 1'],
  ])('asks where the anchor of an alias would be missing: %s', async (_, mine) => {
    const before = lines('a:', '  x: 1', '  y: 1');
    const yours = before.replace('x: 1\n  y: 1', mine);
    const { text, outcomes } = await upgradeFile('a.yaml', before, yours, lines('a:', '  y: 1'));
    expect(outcomes).toEqual({ 'a.yaml': 'conflict' });
    expect(text('a.yaml')).toBe(yours);
  });

  test.each([
    ['changes', 'B: 2', 'B: 3'],
    ['adds', 'B: 2', 'B: 2\n      C: 3'],
    ['drops', '\n      B: 2', ''],
  ])('asks where the template %s a key below an alias of the team', async (_, ...change) => {
    const variables = ['      A: 1', '      B: 2'];
    const before = lines('services:', '  auth:', '    environment:', ...variables);
    const yours = lines(
      ...['x-environment: &environment', '  A: 1', '  B: 2'],
      ...['services:', '  auth:', '    environment: *environment'],
    );
    const theirs = before.replace(...change);
    const { text, outcomes, notes } = await upgradeFile('compose.yaml', before, yours, theirs);
    expect(outcomes).toEqual({ 'compose.yaml': 'conflict' });
    expect([text('compose.yaml'), text('compose.yaml.template')]).toEqual([yours, theirs]);
    expect(notes).toEqual(['you and the template both changed the same lines: yours stays']);
  });

  test('asks where both add below a key that is a number', async () => {
    const before = lines('versions:', '  22:', '    a: 1');
    const yours = before + lines('    mine: 1');
    const theirs = before + lines('    new: 1');
    const { text, outcomes } = await upgradeFile('a.yaml', before, yours, theirs);
    expect(outcomes).toEqual({ 'a.yaml': 'conflict' });
    expect(text('a.yaml')).toBe(yours);
  });

  test('of several documents in one file is merged by line only', async () => {
    const two = (...first: string[]) => lines(...first, 'b: 1', 'c: 1', '---', 'd: 1');
    const merge = (yours: string, theirs: string) =>
      upgradeFile('all.yaml', two('a: 1'), yours, theirs);
    const clean = await merge(two('a: 1').replace('d: 1', 'd: 2'), two('a: 2'));
    expect(clean.text('all.yaml')).toBe(two('a: 2').replace('d: 1', 'd: 2'));
    const clash = await merge(two('a: 1', 'mine: 1'), two('a: 1', 'new: 1'));
    expect(clash.outcomes).toEqual({ 'all.yaml': 'conflict' });
    expect(clash.text('all.yaml')).toBe(two('a: 1', 'mine: 1'));
  });
});
