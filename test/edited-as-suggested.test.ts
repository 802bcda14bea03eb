import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { repositoryFolder } from '../scripts/matrix/child.js';
import { largest } from '../scripts/matrix/combinations.js';
import { bundleProblem, compilerProblem } from '../scripts/matrix/compiler.js';
import { emit } from '../scripts/matrix/emit.js';
import { ownTests } from '../scripts/matrix/standard.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';
import { filesOf, saveEdits, teamProject } from './corpus/team-project.js';

/**
 * The edits that the README of a service suggests under "I want to …" keep the emitted tests green: they pass whatever
 * the team's own files contain, or read it from there.
 */
const catalog = readCatalog(templatesFolder);
const combination = { ...largest(catalog), name: 'edited' };
const parent = join(repositoryFolder, 'playground/edited-as-suggested');

afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** Every sentence, worded differently. */
const mailText = /\b(en|de): (['`])(.+?)\2(?=,| \})/g;

/** What a file imports that has the text of a mail. */
const composesMails = /\b(?:notice|changeNotice|linkMessage|Message)\b[^;]*compose-mail\.js'/;

function inOtherWords(line: string): string {
  const parts = line.split(/(\$\{[^}]*\})/);
  return parts.map((part) => (part.startsWith('${') ? part : part.toUpperCase())).join('');
}

test('a team that follows the README keeps its tests green', async () => {
  const folder = await emit(combination, parent);
  const project = teamProject(filesOf(folder));
  const mails = project.paths().filter((path) => {
    const text = /^src\/(?!.*\.test\.ts$)/.test(path) ? project.read(path) : '';
    return composesMails.test(text) && text.match(mailText);
  });
  expect(mails.length).toBeGreaterThan(5);
  for (const path of mails) {
    const text = project.read(path);
    const changed = text.replace(
      mailText,
      (_text, language, quote, words) => `${language}: ${quote}${inOtherWords(words)}${quote}`,
    );
    expect(changed, path).not.toBe(text);
    project.write(path, changed);
  }
  project.replace(
    'src/mail/layout.ts',
    "join('\\n\\n')}\\n`",
    "join('\\n\\n')}\\n-- \\nAcme Ltd.\\n`",
  );
  project.replace('src/mail/layout.ts', '<body class="page"', '<body class="page acme"');
  project.replace('src/policy.ts', "defaultRole = 'user'", "defaultRole = 'member'");
  project.replace('src/policy.ts', "['firstName', 'lastName', 'name']", "['company']");
  project.replace('src/policy.ts', '  return {};', "  return { tenant: 'acme' };");
  project.replace(
    'src/policy.ts',
    'passwordProblem = problemByRules;',
    "passwordProblem: typeof problemByRules = async (password, owner) =>\n  /^(?=.*\\d)(?=.*[A-Z])(?=.*\\W).{12,}$/.test(password)\n    ? problemByRules(password, owner)\n    : 'Use more characters.';",
  );
  project.replace(
    'src/features/oauth/policy.ts',
    'return name === null ? {} : { name };',
    'return name === null ? {} : undefined;',
  );
  project.replace('src/features/second-factor/policy.ts', 'return false;', 'return true;');
  project.write(
    'src/policy.test.ts',
    `import { expect, test } from 'vitest';
import { defaultRole } from './policy.js';

test('a test beside a policy gets the own one', () => {
  expect(defaultRole).toBe('member');
});
`,
  );
  project.replace(
    'src/events/subscribers.ts',
    '  return [\n',
    "  return [\n    async ({ event }) => {\n      if (event === 'identity.user.created') throw new Error('The CRM is down.');\n    },\n",
  );
  project.replace(
    'src/app.ts',
    '  app.use(authRouter(services));\n',
    "  app.use(express.json());\n  app.use(authRouter(services));\n  app.post('/hello', (_request, response) => {\n    response.json({ hello: 'world' });\n  });\n",
  );
  const withLimits = project.paths().filter((path) => /points: \d/.test(project.read(path)));
  for (const path of withLimits.filter((path) => /^src\/(?!.*\.test\.ts$)/.test(path))) {
    const more = (_text: string, points: string) => `points: ${Number(points) + 1}`;
    project.write(path, project.read(path).replace(/\bpoints: ([2-9]|\d\d+)/g, more));
  }
  project.write(
    'migrations/20991231_teams.ts',
    `import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('teams').addColumn('id', 'integer').execute();
  await db.schema.alterTable('users').addColumn('team_id', 'integer').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').dropColumn('team_id').execute();
  await db.schema.dropTable('teams').execute();
}
`,
  );
  const [, sample = ''] = /```ts\n(.*?)```/s.exec(project.read('docs/features/pages.md')) ?? [];
  project.write('src/features/rename/pages/feature.ts', sample.replace(/^ {3}/gm, ''));
  const roles = "import { roles } from './features/roles/feature.js';\n";
  const rename = "import { renamePages } from './features/rename/pages/feature.js';\n";
  project.replace('src/features.ts', roles, rename + roles);
  project.replace('src/features.ts', '  roles,\n', '  renamePages,\n  roles,\n');
  saveEdits(folder, project);
  expect(await compilerProblem(folder)).toBeUndefined();
  for (const check of ownTests) {
    expect(await check({ catalog, combination, folder })).toBeUndefined();
  }
});

test('what a service would drop in silence stops its build: claims to be awaited, a file of the same name', async () => {
  const folder = await emit({ ...combination, name: 'with-mistakes' }, parent);
  const project = teamProject(filesOf(folder));
  project.replace('src/policy.ts', 'function tokenClaims', 'async function tokenClaims');
  const record = 'Record<string, unknown>';
  project.replace('src/policy.ts', `(_account: Account): ${record}`, `(): Promise<${record}>`);
  project.write('src/features/own/style.css', '');
  saveEdits(folder, project);
  expect(await compilerProblem(folder)).toContain('src/session/tokens.ts');
  expect(await bundleProblem(folder)).toContain('style.css');
});

/** The translations of a feature, as a block of its own or in one line. */
const germanTexts = /^( +)de: \{(?:.*\},|[\s\S]*?^\1\},)\n/gm;

test('a language is added where the page about pages says: the compiler names each missing text', async () => {
  const folder = await emit({ ...combination, name: 'with-french' }, parent);
  const project = teamProject(filesOf(folder));
  const languages = 'src/features/pages/language.ts';
  project.replace(languages, "de: 'Deutsch' }", "de: 'Deutsch', fr: 'Français' }");
  for (const path of project.paths().filter((path) => /^src\/(?!.*\.test\.ts$)/.test(path))) {
    const french = (german: string) => german + german.replace('de: {', 'fr: {');
    const text = project.read(path);
    if (text.match(germanTexts)) project.write(path, text.replace(germanTexts, french));
  }
  saveEdits(folder, project);
  expect(await compilerProblem(folder)).toBeUndefined();

  const page = 'src/features/email-change/pages/feature.ts';
  const missing = /( fr: \{[\s\S]*?)'New email address': .*\n/;
  project.write(page, project.read(page).replace(missing, '$1'));
  saveEdits(folder, project);
  expect(await compilerProblem(folder)).toContain('"New email address"');
});
