import { rmSync } from 'node:fs';
import lte from 'semver/functions/lte.js';
import { describe, expect, test } from 'vitest';
import { type Advisory, readAdvisories } from '../src/advisories/advisory.js';
import { assessCopy } from '../src/advisories/assess-copy.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { readSources } from '../src/catalog/read-sources.js';
import { generatorVersion, templatesFolder } from '../src/package-root.js';
import { sha256Of } from '../src/plan/manifest.js';
import { idOf, renamedBy } from '../src/plan/ownership.js';
import { scratchFolder } from './support/cli.js';
import { type Files, writeFiles } from './support/files.js';
import { madeProject } from './support/made-project.js';
import { once, sharedFolder } from './support/shared-folder.js';
import { layer, packageWith, smallTemplates } from './support/small-package.js';

const weakText = 'export function check(given) {\n  return given == secret;\n}\n';
const soundText = 'export function check(given) {\n  return isEqual(given, secret);\n}\n';
const before = { ...smallTemplates, 'base/files/src/check.ts': weakText };

const advisory: Advisory = {
  id: 'CAS-2026-001',
  title: 'Secrets are compared too quickly',
  severity: 'high',
  published: '2026-11-21',
  details: 'Whoever measures time can guess them.',
  fixedIn: generatorVersion(),
  files: [{ id: 'src/check.ts', sha256: [sha256Of(weakText)], lines: ['return given == secret;'] }],
};

/** The command of the version that fixed it. */
const fixed = once((key) => {
  const { files, templates }: Fix = JSON.parse(key);
  const folder = sharedFolder();
  writeFiles(folder, {
    [`advisories/${advisory.id}.json`]: JSON.stringify({ ...advisory, files }),
  });
  return packageWith(folder, templates);
});

interface Fix {
  /** What the advisory says about files. */
  files: Advisory['files'];
  templates: Files;
}

/** A project of a version with the weakness, and `doctor` of the version that fixed it. */
async function weakProject({
  files = advisory.files,
  templates = { ...before, 'base/files/src/check.ts': soundText },
}: Partial<Fix> = {}) {
  const project = await madeProject(before);
  const bin = fixed(JSON.stringify({ files, templates }));
  const findings = async () => {
    const { exitCode, stdout } = await project.inside(['doctor', '--json', '--no-run'], { bin });
    const all: { about: string; severity: string; message: string; remedy?: string }[] =
      JSON.parse(stdout).findings;
    return { exitCode, told: all.filter(({ about }) => about === 'advisories') };
  };
  return {
    ...project,
    upgrade: (...flags: string[]) => project.inside(['upgrade', ...flags], { bin }),
    findings,
    async doctor() {
      const { exitCode, told: all } = await findings();
      const [told] = all;
      return { exitCode, severity: told?.severity, message: told?.message, remedy: told?.remedy };
    },
  };
}

describe('doctor and advisories', () => {
  const name = 'CAS-2026-001 (high): Secrets are compared too quickly.';

  test('a pristine older copy is affected until it is upgraded', async () => {
    const project = await weakProject();
    expect(await project.doctor()).toEqual({
      exitCode: 3,
      severity: 'problem',
      message: `${name} Affected: src/check.ts, line 2.`,
      remedy: `Whoever measures time can guess them. Fixed in ${generatorVersion()}: npx create-auth-service upgrade`,
    });
    project.edit('src/check.ts', (text) => text.replaceAll('\n', '\r\n'));
    expect(await project.doctor()).toMatchObject({ exitCode: 3, severity: 'problem' });
    expect((await project.upgrade()).exitCode).toBe(0);
    expect(await project.doctor()).toMatchObject({
      exitCode: 0,
      severity: 'ok',
      message: '1 known, none concerns this project.',
    });
  });

  test('an edited copy with its lines needs a look', async () => {
    const project = await weakProject();
    project.edit('src/check.ts', (text) => `// ours\n${text.replace('  return', '    return')}`);
    expect(await project.doctor()).toMatchObject({
      exitCode: 3,
      message: `${name} You edited src/check.ts, line 3; check it: the vulnerable lines are there.`,
    });
  });

  test('an edited copy without them is worth a note', async () => {
    const project = await weakProject();
    project.edit('src/check.ts', (text) => text.replace('==', '==='));
    expect(await project.doctor()).toMatchObject({
      exitCode: 0,
      severity: 'note',
      message: `${name} You edited src/check.ts; the lines concerned are gone.`,
    });
  });

  test('a reformatted copy is affected', async () => {
    const project = await weakProject();
    const formatted =
      'export function check(given)\n{\n\treturn (\n\t\tgiven ==\n\t\tsecret\n\t)\n}\n';
    project.edit('src/check.ts', () => formatted);
    expect(await project.doctor()).toMatchObject({
      exitCode: 3,
      message: `${name} Affected: src/check.ts, line 3, 4, 5.`,
    });
    project.edit('src/check.ts', () => `// ours\n${formatted}`);
    expect(await project.doctor()).toMatchObject({ exitCode: 3, severity: 'problem' });
  });

  test('a copy that only has the beginning of the line is worth a note', async () => {
    const project = await weakProject();
    project.edit('src/check.ts', (text) => text.replace('secret;', 'secretOf(given);'));
    expect(await project.doctor()).toMatchObject({ exitCode: 0, severity: 'note' });
  });

  test('the upgrade says which ones it fixes, and which ones it leaves', async () => {
    const project = await weakProject();
    expect((await project.upgrade('--dry-run')).stdout).toContain(`Would fix ${name}`);
    expect(JSON.parse((await project.upgrade('--dry-run', '--json')).stdout).advisories).toEqual({
      fixed: [advisory.id],
      left: [],
    });
    expect((await project.upgrade()).stdout).toContain(`Fixed: ${name}`);
    expect((await project.upgrade()).stdout).not.toContain(name);
  });

  test('the upgrade does not count files that wait for a decision', async () => {
    const project = await weakProject();
    project.edit('src/check.ts', (text) => text.replace('return given', 'log();\n  return given'));
    const { exitCode, stdout } = await project.upgrade();
    expect(exitCode).toBe(2);
    expect(stdout).toContain(`Not fixed yet: ${name} src/check.ts`);
  });

  test('the upgrade names what remains, even if there is nothing to do', async () => {
    const project = await weakProject();
    const mine = weakText.replace('return given', 'log();\n  return given');
    project.edit('src/check.ts', () => mine);
    await project.upgrade();
    project.edit('src/check.ts', () => mine);
    expect((await project.upgrade('--continue')).exitCode).toBe(0);
    const { exitCode, stdout } = await project.upgrade();
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`Nothing to do.\n\nNot fixed yet: ${name} src/check.ts\n`);
  });

  test('the upgrade judges a copy where it stays if another file is where the template moves it', async () => {
    const { 'base/files/src/check.ts': _, ...others } = before;
    const renamed = { 'src/verify.ts': 'src/check.ts' };
    const project = await weakProject({
      templates: {
        ...others,
        ...layer('base', { title: 'Base', group: 'base', yours: ['src/app.ts'], renamed }),
        'base/files/src/verify.ts': soundText,
      },
    });
    writeFiles(project.folder, { 'src/verify.ts': 'export const ours = 1;\n' });
    const { advisories } = JSON.parse((await project.upgrade('--dry-run', '--json')).stdout);
    expect(advisories).toEqual({
      fixed: [],
      left: [{ id: advisory.id, paths: ['src/check.ts'] }],
    });
    const { exitCode, stdout } = await project.upgrade();
    expect(exitCode).toBe(2);
    expect(stdout).toContain(`Not fixed yet: ${name} src/check.ts`);
    expect((await project.doctor()).message).toContain('Affected: src/check.ts');
  });

  test('of several templates with the same path, the worst match counts, once', async () => {
    const lines = advisory.files.flatMap((file) => file.lines);
    const other = { id: 'src/check.ts', sha256: [sha256Of('another\n')] };
    const files = [{ ...other, lines: ['another'] }, { ...other, lines }, ...advisory.files];
    const project = await weakProject({ files });
    const messages = async () => (await project.findings()).told.map(({ message }) => message);
    expect(await messages()).toEqual([`${name} Affected: src/check.ts, line 2.`]);
    project.edit('src/check.ts', (text) => text.replace('return given', 'log();\n  return given'));
    expect(await messages()).toEqual([
      `${name} You edited src/check.ts, line 3; check it: the vulnerable lines are there.`,
    ]);
    const { advisories } = JSON.parse((await project.upgrade('--dry-run', '--json')).stdout);
    expect(advisories.left).toEqual([{ id: advisory.id, paths: ['src/check.ts'] }]);
  });

  test('a project without such a file is not affected', async () => {
    const project = await weakProject();
    rmSync(project.at('src/check.ts'));
    expect(await project.doctor()).toMatchObject({ exitCode: 0, severity: 'ok' });
  });

  test('an advisory that is not as described is a bug, named by its file', async () => {
    const project = await madeProject(before);
    const folder = scratchFolder();
    const bin = packageWith(folder, before);
    writeFiles(folder, { 'advisories/CAS-2026-002.json': JSON.stringify(advisory) });
    const { exitCode, stderr } = await project.inside(['doctor'], { bin });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('advisories/CAS-2026-002.json has the id CAS-2026-001: rename it');
  });
});

describe('the advisories of this package', () => {
  test('are as described, and about what is fixed', () => {
    const advisories = readAdvisories();
    expect(advisories.flatMap((each) => faultsOf(each, sources))).toEqual([]);
  });

  test('one about a text of today, or about a version to come, would be found', () => {
    const sources = [{ id: 'src/check.ts', content: Buffer.from(weakText) }];
    expect(faultsOf({ ...advisory, fixedIn: '999.0.0' }, sources)).toEqual([
      'CAS-2026-001: 999.0.0 is not there yet',
      'CAS-2026-001: src/check.ts is weak today',
    ]);
    const sound = [{ id: 'src/check.ts', content: Buffer.from(soundText) }];
    expect(faultsOf(advisory, sound)).toEqual([]);
  });
});

interface Template {
  id: string;
  content: Buffer;
}

const catalog = readCatalog(templatesFolder);
const sources: Template[] = readSources([...catalog]).map(({ path, content }) => ({
  id: idOf(path, renamedBy(catalog)),
  content,
}));

function faultsOf({ id, fixedIn, files }: Advisory, templates: Template[]): string[] {
  const version = lte(fixedIn, generatorVersion()) ? [] : [`${id}: ${fixedIn} is not there yet`];
  const weak = files.flatMap((file) =>
    templates
      .filter((template) => template.id === file.id)
      .filter(
        ({ content }) =>
          assessCopy(file, { content, emittedSha256: undefined }).verdict !== 'sound',
      )
      .map(() => `${id}: ${file.id} is weak today`),
  );
  return [...version, ...weak];
}
