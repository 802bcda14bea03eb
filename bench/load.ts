import { fork } from 'node:child_process';
import { join } from 'node:path';
import { median } from './report.js';
import { processFolder, type Server } from './server.js';

/** One request to send. */
export interface LoadRequest {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  /** `{token}` stands for the refresh token, here and in the body. */
  headers?: Record<string, string>;
  body?: string;
  /** The refresh token; that of the response replaces it, as in a real client. */
  token?: string;
}

/** A job for the load generator: bounded by number and by time, whichever comes first. */
export interface LoadJob {
  port: number;
  /** For each connection the requests that it sends in turn. */
  requests: LoadRequest[][];
  count: number;
  seconds: number;
  /** True where CPU time is compared. It takes a whole core, so a rate is measured without it. */
  staysAwake?: boolean;
}

export interface LoadResult {
  answered: number;
  seconds: number;
  /** Milliseconds from writing a request to having its whole response. */
  p50: number;
  p99: number;
  /** The refresh tokens that the requests of each connection ended with. */
  tokens: (string | undefined)[][];
}

export interface Load {
  run(job: LoadJob): Promise<LoadResult>;
  stop(): void;
}

const connections = 16;

/** Starts the load generator's process; jobs may run side by side. */
export function startLoad(): Load {
  const child = fork(join(processFolder, 'load-process.mjs'), { execArgv: [] });
  type Message = { id: number; result?: LoadResult; error?: string };
  const waiting = new Map<number, (message: Message) => void>();
  let lastId = 0;
  child.on('message', (message: Message) => {
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  return {
    async run(job) {
      const id = ++lastId;
      const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
      child.send({ id, job });
      const { result, error } = await answered;
      if (!result) throw new Error(error);
      for (const [connection, tokens] of result.tokens.entries()) {
        for (const [index, token] of tokens.entries()) {
          const request = job.requests[connection]?.[index];
          if (request && token) request.token = token;
        }
      }
      return result;
    },
    stop: () => child.disconnect(),
  };
}

/** Distributes requests over 16 connections, so that each sends fewer. */
export function dealt(requests: LoadRequest[]): LoadRequest[][] {
  return Array.from({ length: connections }, (_, connection) =>
    requests.length < connections
      ? requests
      : requests.filter((_request, index) => index % connections === connection),
  );
}

/** One server under one kind of request. */
export interface Contestant {
  server: Server;
  requests: LoadRequest[];
}

export interface Cost {
  /** µs of CPU for each request, of every thread: the median of the rounds. */
  cpu: number;
  /** Requests answered per second, also the median. */
  rate: number;
  rounds: number[];
}

/**
 * Lets all contestants take turns, round after round, so that disturbances of the machine affect all alike; every other
 * round runs in reverse order. A first round warms up and is not counted.
 */
export async function compare<Name extends string>(
  load: Load,
  contestants: Record<Name, Contestant>,
  { rounds, count, seconds }: { rounds: number; count: number; seconds: number },
): Promise<Record<Name, Cost>> {
  const names = Object.keys(contestants) as Name[];
  const samples = new Map(names.map((name) => [name, [] as { cpu: number; rate: number }[]]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of round % 2 ? names.toReversed() : names) {
      const { server, requests } = contestants[name];
      const job = { port: server.port, requests: dealt(requests), count, seconds };
      const before = await server.usage();
      const result = await load.run({ ...job, staysAwake: true });
      const cpu = ((await server.usage()).cpu - before.cpu) / result.answered;
      if (round > 0) samples.get(name)?.push({ cpu, rate: result.answered / result.seconds });
    }
  }
  const costs = names.map((name) => {
    const own = samples.get(name) ?? [];
    const all = own.map(({ cpu }) => cpu);
    return [name, { cpu: median(all), rate: median(own.map(({ rate }) => rate)), rounds: all }];
  });
  return Object.fromEntries(costs) as Record<Name, Cost>;
}

/** The CPU time of `limit` divided by that of `ours`, the median of the rounds: 1 is equal, more is better. */
export function share(limit: Cost, ours: Cost): number {
  return median(limit.rounds.map((cpu, round) => cpu / (ours.rounds[round] ?? Number.NaN)));
}
