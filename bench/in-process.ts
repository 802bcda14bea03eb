import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Cost } from './compare.js';
import type { Emitted } from './emitted-by.js';
import { type LoadRequest, REFRESH_TOKEN } from './load-job.js';
import { MODULES } from './places.js';
import { median } from './statistics.js';

/** The few names by which a service of any version is called without its HTTP server. */
interface Answer {
  status: number;
  headers: object;
  cookies?: string[];
  body: string | undefined;
}
type Resource = ReadonlyMap<string, object>;
interface OpenService {
  services: { config: object };
  close(): Promise<void>;
}

export interface InProcess {
  send(request: LoadRequest): Promise<void>;
  close(): Promise<void>;
}

const ROUNDS = 150;
const WARM_UP = 20;
/** Calls of one side before it is the other's turn. */
const BURST = 150;

/**
 * The service in this process, its routes called as its framework calls them: without sockets, whose cost depends on what else
 * the machine does, a difference of a hundredth shows. Passwords are not hashed, which takes a hundred times as long as all else.
 */
export async function openInProcess({ folder, environment }: Emitted): Promise<InProcess> {
  const own = <Module>(path: string): Promise<Module> =>
    import(pathToFileURL(join(folder, MODULES, 'src', path)).href);
  const require = createRequire(join(folder, 'package.json'));
  require('bcrypt').compare = async () => true;
  const { readConfig } = await own<{ readConfig(environment: object): object }>(
    'environment/read-config.js',
  );
  const { startService } = await own<{ startService(config: object): Promise<OpenService> }>(
    'start.js',
  );
  const { dispatch, resourcesOf } = await own<{
    dispatch(resource: Resource, raw: object, services: object): Promise<Answer>;
    resourcesOf(routes: object[], services: object): Map<string, Resource>;
  }>('http/dispatch.js');
  const { mountsOf } = await own<{
    mountsOf(config: object): { prefix: string; routes: object[] }[];
  }>('routes.js');
  const { services, close } = await startService(readConfig({ ...environment, PORT: '0' }));
  const resources = new Map(
    mountsOf(services.config).flatMap(({ prefix, routes }) =>
      [...resourcesOf(routes, services)].map(([path, resource]) => [prefix + path, resource]),
    ),
  );
  return {
    close,
    async send(request) {
      const resource = resources.get(request.path);
      if (!resource) throw new Error(`There is no ${request.path}.`);
      const answer = await dispatch(resource, rawRequest(request), services);
      if (answer.status !== 200) throw new Error(`${request.path}: ${answer.body}`);
      if (request.token) request.token = refreshTokenOf(answer);
    },
  };
}

/** Lets two sides take turns; CPU of this process for each call, in µs. */
export async function compareInProcess(
  [before, after]: [InProcess, InProcess],
  requests: [LoadRequest[], LoadRequest[]],
): Promise<{ before: Cost; after: Cost }> {
  const rounds: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = round % 2 === 0;
    const start = round * BURST;
    const costs: [number, number] = first
      ? [await burst(before, requests[0], start), await burst(after, requests[1], start)]
      : [await burst(after, requests[1], start), await burst(before, requests[0], start)];
    if (round < WARM_UP) continue;
    const [mine, other] = first ? costs : [costs[1], costs[0]];
    rounds[0].push(mine);
    rounds[1].push(other);
  }
  return { before: costOf(rounds[0]), after: costOf(rounds[1]) };
}

async function burst(side: InProcess, requests: LoadRequest[], start: number): Promise<number> {
  const before = process.cpuUsage();
  for (let index = start; index < start + BURST; index += 1) {
    const request = requests[index % requests.length];
    if (request) await side.send(request);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / BURST;
}

function costOf(rounds: number[]): Cost {
  const cpu = median(rounds);
  return { cpu, rate: 1e6 / cpu, rounds };
}

/** A request as a framework hands it to the service. */
function rawRequest({ method, path, headers = {}, body = '', token = '' }: LoadRequest) {
  const filled = (text: string) => text.replace('{token}', token);
  const sent = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), filled(value)]),
  );
  const bytes = Buffer.from(filled(body));
  return {
    method,
    path,
    params: {},
    search: '',
    ip: '127.0.0.1',
    header: (name: string) => sent.get(name.toLowerCase()),
    readBody: async () => bytes,
  };
}

function refreshTokenOf({ headers, cookies = [], body = '' }: Answer): string {
  const text = [...cookies, JSON.stringify(headers), body].join('\n');
  return REFRESH_TOKEN.exec(text)?.[1] ?? '';
}
