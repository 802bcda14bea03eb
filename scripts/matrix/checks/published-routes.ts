import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { fromSource, type StartedService, startService } from '../start-service.js';
import type { Emitted } from './check.js';

// Answers to what never reaches a route of the table: malformed or late on the wire, an unknown path or method, or a
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
 * The running service publishes what its README says: the same routes, probes at the root aside, and each error code
 * as the answer of some route.
 */
export async function publishesItsRoutes({ folder }: Emitted): Promise<string | undefined> {
  const service = await startService(folder, { command: fromSource });
  try {
    const response = await fetch(`${service.url}/auth/openapi.json`);
    const document = openApi.parse(await response.json());
    const problems = [
      ...(await routeProblems(readmeRoutes(folder), document, service)),
      ...codeProblems(document),
    ];
    return problems.length > 0 ? problems.join('\n') : undefined;
  } finally {
    await service.stop();
  }
}

function readmeRoutes(folder: string): string[] {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  return [...readme.matchAll(/^\| `([A-Z]+ \/[^`]*)` \|/gm)].map(([, route = '']) => route);
}

async function routeProblems(
  shown: string[],
  { paths }: z.infer<typeof openApi>,
  { url }: StartedService,
): Promise<string[]> {
  const published = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const onlyShown = shown.filter((route) => !published.includes(route));
  const answers = await Promise.all(onlyShown.map((route) => answerAtRoot(url, route)));
  return [
    ...published.filter((route) => !shown.includes(route)).map((route) => `README lacks ${route}`),
    ...onlyShown
      .filter((_, position) => answers[position] !== 200)
      .map((route) => `${route} is in the README and nowhere else`),
  ];
}

async function answerAtRoot(url: string, route: string): Promise<number> {
  const [method = '', path = ''] = route.split(' ');
  return (await fetch(url + path, { method })).status;
}

function codeProblems({ paths, components }: z.infer<typeof openApi>): string[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const said = operations
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ description }) => description.split(', '));
  return components.schemas.Error.properties.code.enum
    .filter((code) => !said.includes(code) && !codesWithoutRoute.includes(code))
    .map((code) => `no route of openapi.json answers ${code}`);
}
