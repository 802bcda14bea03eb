import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { problemOf, repositoryFolder } from '../scripts/matrix/child.js';
import { fullCombinations, largest } from '../scripts/matrix/combinations.js';
import { compilerProblem } from '../scripts/matrix/compiler.js';
import { emit } from '../scripts/matrix/emit.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';

// A team puts a body parser where its framework's documentation shows it: before everything else. What the service
// reads, signs and refuses must stay the same.

const parent = join(repositoryFolder, 'playground/parsers-in-front');
const catalog = readCatalog(templatesFolder);
const { database } = largest(catalog);
const combinations = fullCombinations(catalog).filter((each) => each.database === database);

/** By the line of `src/app.ts` that creates the app; they come after it. */
const parsers = {
  'express();': 'app.use(express.json());\n',
  'fastify(serverOptions(services));': `app.removeContentTypeParser('application/json');
app.addContentTypeParser(
  'application/json',
  { parseAs: 'string' },
  app.getDefaultJsonParser('error', 'error'),
);
`,
  'new Hono<AuthEnv>();': `app.use(async (c, next) => {
  if (c.req.header('content-type') === 'application/json') await c.req.json().catch(() => {});
  await next();
});
`,
};

afterAll(() => rmSync(parent, { recursive: true, force: true }));

test.each(combinations)(
  'the tests of $name stay green with a parser in front',
  async (combination) => {
    const folder = await emit(combination, parent);
    const app = join(folder, 'src/app.ts');
    const text = readFileSync(app, 'utf8');
    const [line = '', parser = ''] =
      Object.entries(parsers).find(([each]) => text.includes(`  const app = ${each}\n`)) ?? [];
    const made = `  const app = ${line}\n`;
    expect(text).toContain(made);
    writeFileSync(app, text.replace(made, made + parser));
    expect(await compilerProblem(folder)).toBeUndefined();
    cpSync(join(repositoryFolder, 'test/laid-on'), folder, { recursive: true });
    const subjects = ['src/http', 'src/features/tools', 'src/session', 'test/cookies.test.ts'];
    expect(await problemOf(folder, ['vitest', 'run', ...subjects])).toBeUndefined();
  },
);
