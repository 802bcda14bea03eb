import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { transform } from 'esbuild';
import openapiTypes, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemOf, repositoryFolder } from '../../scripts/matrix/child.js';
import { largest } from '../../scripts/matrix/combinations.js';
import { compilerProblem } from '../../scripts/matrix/compiler.js';
import { emit } from '../../scripts/matrix/emit.js';
import { fromSource, startService } from '../../scripts/matrix/start-service.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { templatesFolder } from '../../src/package-root.js';

const parent = join(repositoryFolder, 'playground/openapi');
const catalog = readCatalog(templatesFolder);
const prefixes = ['/auth', ...catalog.flatMap(({ mountedAt }) => mountedAt ?? [])];
/** By the prefix that they describe. */
const documents = new Map<string, string>();
const env = { NODE_ENV: 'test', BASE_URL: 'https://auth.acme.dev' };
let folder: string;

beforeAll(async () => {
  folder = await emit(largest(catalog), parent);
  const service = await startService(folder, { command: fromSource, env });
  for (const prefix of prefixes) {
    const response = await fetch(`${service.url}${prefix}/openapi.json`);
    documents.set(prefix, await response.text());
  }
  expect(await service.stop()).toBe(0);
});

afterAll(() => rmSync(parent, { recursive: true, force: true }));

test.each(prefixes)('the document of %s passes the recommended rules', async (prefix) => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // The team chooses the license of its service.
      'info-license': 'off',
      // A sign-in at a provider always answers with a redirect.
      'operation-2xx-response': 'off',
    },
  });
  const source = documents.get(prefix) ?? '';
  const problems = await lintFromString({ source, absoluteRef: `${prefix}/openapi.json`, config });
  const lines = problems.map(({ ruleId, message, location }) => {
    return `${ruleId}: ${message} (${location[0]?.pointer})`;
  });
  expect(lines).toEqual([]);
});

test('a client that is generated from the documents has their types', async () => {
  for (const [prefix, text] of documents) {
    const types = astToString(await openapiTypes(text));
    writeFileSync(join(parent, `${fileOf(prefix)}.ts`), types);
  }
  expect(await problemInBrowser(parent, 'client.txt')).toBeUndefined();
});

test("the project's own client has the types of its routes, and few bytes", async () => {
  expect(await problemOf(folder, ['tsx', 'client/write-api.ts'], env)).toBeUndefined();
  expect(
    await problemInBrowser(join(folder, 'client'), 'own-client.txt', strictest),
  ).toBeUndefined();
  const source = readFileSync(join(folder, 'client/auth-client.ts'), 'utf8');
  const { code } = await transform(source, { loader: 'ts', minify: true });
  expect(gzipSync(code).length).toBeLessThan(5_000);
});

/** What the starters of front-end frameworks, and Node.js when it strips types, ask of code that is copied there. */
const strictest = {
  erasableSyntaxOnly: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
};

/** The compiler's errors for the code of a front end, in a folder that has what it imports. */
async function problemInBrowser(
  where: string,
  code: string,
  options: object = {},
): Promise<string | undefined> {
  copyFileSync(join(import.meta.dirname, code), join(where, 'front-end.ts'));
  const compilerOptions = {
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'NodeNext',
    types: [],
    strict: true,
    noEmit: true,
    ...options,
  };
  const configuration = { compilerOptions, files: ['front-end.ts'] };
  writeFileSync(join(where, 'tsconfig.json'), JSON.stringify(configuration));
  writeFileSync(join(where, 'package.json'), '{"type":"module"}');
  return compilerProblem(where);
}

/** `/admin/api` → `admin-api` */
function fileOf(prefix: string): string {
  return prefix.slice(1).replaceAll('/', '-');
}
