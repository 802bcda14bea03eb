import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readCatalog } from '../../../src/catalog/read-catalog.js';
import { bundleProblem } from '../compiler.js';
import { freshDatabase } from '../fresh-database.js';
import type { Emitted } from '../standard.js';
import { type StartedService, startService } from '../start-service.js';

// Responses to requests that never reach a route of the table: malformed or late on the wire, an unknown path or method, or a
// route that a team has yet to write.
const codesWithoutRoute = [
  'INVALID_REQUEST',
  'HEADERS_TOO_LARGE',
  'REQUEST_TIMEOUT',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'NOT_IMPLEMENTED',
  'REAUTHENTICATION_REQUIRED',
];

const operation = z.object({
  responses: z.record(z.string(), z.object({ description: z.string() })),
});
const openApi = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    schemas: z.object({
      Error: z.object({ properties: z.object({ code: z.object({ enum: z.array(z.string()) }) }) }),
    }),
  }),
});

/**
 * The built service publishes what its README says: the same routes, except probes at the root, and each error
 * code as a response of some route.
 */
export async function publishesItsRoutes({
  combination,
  folder,
}: Emitted): Promise<string | undefined> {
  const problem = await bundleProblem(folder);
  if (problem) return problem;
  const database = await freshDatabase(folder);
  const service = await startService(folder, { env: database.environment });
  try {
    const shown = readmeRoutes(folder);
    const own = await readDocument(service, '/auth');
    const elsewhere = await readMounts(service, shown);
    const problems = [
      ...(await routeProblems(shown, own, elsewhere, service)),
      ...(combination.features.includes('admin-panel') ? [] : await withoutPanelProblems(service)),
      ...codeProblems([own, ...elsewhere.map(({ document }) => document)]),
    ];
    return problems.length > 0 ? problems.join('\n') : undefined;
  } finally {
    await service.stop();
    await database.drop();
  }
}

/** The routes that the README names, without the documents, which do not name themselves. */
function readmeRoutes(folder: string): string[] {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  return [...readme.matchAll(/^\| `([A-Z]+ \/[^`]*)` \|/gm)]
    .map(([, route = '']) => route)
    .filter((route) => !route.endsWith('/openapi.json'));
}

type Document = z.infer<typeof openApi>;

interface Mounted {
  path: string;
  document: Document;
}

async function readDocument({ url }: StartedService, path: string): Promise<Document> {
  const response = await fetch(`${url}${path}/openapi.json`);
  return openApi.parse(await response.json());
}

/** What layers mount outside the service's own prefix: declared in their `layer.json`, named in the README. */
async function readMounts(service: StartedService, shown: string[]): Promise<Mounted[]> {
  const paths = readCatalog().flatMap(({ mountedAt }) => mountedAt ?? []);
  const used = paths.filter((path) => shown.some((route) => route.includes(` ${path}/`)));
  return Promise.all(
    used.map(async (path) => ({ path, document: await readDocument(service, path) })),
  );
}

function routesOf({ paths }: Document, prefix: string): string[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${prefix}${path}`),
  );
}

async function routeProblems(
  shown: string[],
  own: Document,
  elsewhere: Mounted[],
  { url }: StartedService,
): Promise<string[]> {
  const published = [
    ...routesOf(own, ''),
    ...elsewhere.flatMap(({ path, document }) => routesOf(document, path)),
  ];
  const onlyShown = shown.filter((route) => !published.includes(route));
  const answers = await Promise.all(onlyShown.map((route) => answerAtRoot(url, route)));
  return [
    ...published.filter((route) => !shown.includes(route)).map((route) => `README lacks ${route}`),
    ...onlyShown
      .filter((_, position) => answers[position] !== 200)
      .map((route) => `${route} is in the README and nowhere else`),
  ];
}

/** Without the panel its address is a 404, for browsers too. */
async function withoutPanelProblems({ url }: StartedService): Promise<string[]> {
  const response = await fetch(`${url}/admin`, { headers: { accept: 'text/html' } });
  const body = await response.text();
  const isUnknown = response.status === 404 && body.includes('"code":"NOT_FOUND"');
  return isUnknown ? [] : [`GET /admin is answered ${response.status} ${body.slice(0, 80)}`];
}

async function answerAtRoot(url: string, route: string): Promise<number> {
  const [method = '', path = ''] = route.split(' ');
  return (await fetch(url + path, { method })).status;
}

function codeProblems(documents: Document[]): string[] {
  const operations = documents
    .flatMap(({ paths }) => Object.values(paths))
    .flatMap((methods) => Object.values(methods));
  const said = operations
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ description }) => description.split(', '));
  const known = documents.flatMap(
    ({ components }) => components.schemas.Error.properties.code.enum,
  );
  return [...new Set(known)]
    .filter((code) => !said.includes(code) && !codesWithoutRoute.includes(code))
    .map((code) => `no route of openapi.json answers ${code}`);
}
