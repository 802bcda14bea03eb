import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256Of } from '../../src/plan/manifest.js';
import { baseTemplate, clock, connect } from '../support/emitted-paths.js';
import { git } from '../support/git.js';
import { copyRepository, runScript } from '../support/repository-copy.js';

test('an advisory begins with the texts before the fix and the lines that it removed', async () => {
  const repository = copyRepository();
  const template = baseTemplate(clock);
  const file = join(repository, template);
  const commit = historyOf(repository, [template]);
  const sound = sha256Of(readFileSync(file));
  appendFileSync(file, '\nexport const isAlwaysNoon = true;\n');
  const weak = sha256Of(readFileSync(file));
  commit();
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('isAlwaysNoon = true', 'isAlwaysNoon = false'),
  );
  commit();

  const run = (...args: string[]) => runScript(repository, 'add-advisory', args);
  const { exitCode, stderr } = await run('CAS-2027-001', clock, '--fixed-by', 'HEAD');
  expect(exitCode, stderr).toBe(0);
  const written = readFileSync(join(repository, 'advisories/CAS-2027-001.json'), 'utf8');
  expect(JSON.parse(written).files).toEqual([
    {
      id: clock,
      sha256: [sound, weak].sort(),
      lines: ['export const isAlwaysNoon = true;'],
    },
  ]);
  await run('CAS-2027-002', clock, '--fixed-by', 'HEAD', '--since', 'HEAD~2');
  const later = readFileSync(join(repository, 'advisories/CAS-2027-002.json'), 'utf8');
  expect(JSON.parse(later).files[0].sha256).toEqual([weak]);
  expect((await run('CAS-2027-003', 'src/no-such.ts', '--fixed-by', 'HEAD')).stderr).toContain(
    'no template is emitted to src/no-such.ts',
  );
});

test('templates of several choices with one path get an entry each, if the commit changed them', async () => {
  const repository = copyRepository();
  const templates = ['sqlite', 'postgres', 'mysql'].map(
    (database) => `templates/databases/${database}/files/${connect}`,
  );
  const commit = historyOf(repository, templates);
  const change = (template: string, by: (text: string) => string) => {
    const file = join(repository, template);
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, by(before));
    return sha256Of(before);
  };
  const [first = '', second = ''] = templates;
  const sound = templates.map((template, index) =>
    change(template, (text) => `${text}\nexport const isWeak${index} = true;\n`),
  );
  commit();
  const weak = [first, second].map((template) =>
    change(template, (text) => text.replace(/isWeak(\d) = true/, 'isWeak$1 = false')),
  );
  commit();

  const run = (...args: string[]) => runScript(repository, 'add-advisory', args);
  const { exitCode, stderr } = await run('CAS-2027-001', connect, '--fixed-by', 'HEAD');
  expect(exitCode, stderr).toBe(0);
  const written = readFileSync(join(repository, 'advisories/CAS-2027-001.json'), 'utf8');
  const { files } = JSON.parse(written);
  expect(files).toHaveLength(2);
  for (const index of [0, 1]) {
    expect(files).toContainEqual({
      id: connect,
      sha256: [sound[index], weak[index]].sort(),
      lines: [`export const isWeak${index} = true;`],
    });
  }
  const nothing = await run('CAS-2027-002', clock, '--fixed-by', 'HEAD');
  expect(nothing.stderr).toContain(`HEAD changes no template of ${clock}`);
});

/** Makes the folder a git repository with these files committed. @returns commits their changes */
function historyOf(repository: string, paths: string[]): () => void {
  const commit = () =>
    void git(repository, 'commit', '--quiet', '--message', 'One more', '--', ...paths);
  git(repository, 'init', '--quiet');
  git(repository, 'add', ...paths);
  commit();
  return commit;
}
