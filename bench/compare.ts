import type { LoadGenerator } from './load.js';
import type { LoadRequest } from './load-job.js';
import type { Server } from './server.js';
import { median } from './statistics.js';

export const CONNECTIONS = 16;

/** One server under one kind of request. */
export interface Contestant {
  server: Server;
  /** For each connection the requests it sends in turn. */
  requests: LoadRequest[][];
}

export interface Extent {
  rounds: number;
  /** Requests of one contestant in one round, and the seconds after which it ends anyway. */
  count: number;
  seconds: number;
}

export interface Cost {
  /** µs of CPU for each request, of every thread: the median of the rounds. */
  cpu: number;
  /** Answered in a second, likewise. */
  rate: number;
  rounds: number[];
}

/**
 * Lets all contestants take turns, round after round, so that what disturbs the machine meets all
 * alike; every other round goes backwards. A first round warms up and is not counted.
 */
export async function compare<Name extends string>(
  load: LoadGenerator,
  contestants: Record<Name, Contestant>,
  extent: Extent,
): Promise<Record<Name, Cost>> {
  const names = Object.keys(contestants) as Name[];
  const samples = new Map(names.map((name) => [name, [] as { cpu: number; rate: number }[]]));
  for (let round = 0; round <= extent.rounds; round += 1) {
    for (const name of round % 2 ? names.toReversed() : names) {
      const sample = await burst(load, contestants[name], extent);
      if (round > 0) samples.get(name)?.push(sample);
    }
  }
  const costs = names.map((name) => [name, costOf(samples.get(name) ?? [])]);
  return Object.fromEntries(costs) as Record<Name, Cost>;
}

/** How much of `limit`'s CPU `ours` gets by with: 1 is as good, more is better; the rounds' median. */
export function share(limit: Cost, ours: Cost): number {
  return median(limit.rounds.map((cpu, round) => cpu / (ours.rounds[round] ?? Number.NaN)));
}

async function burst(load: LoadGenerator, { server, requests }: Contestant, extent: Extent) {
  const before = await server.usage();
  const { answered, seconds } = await load.run({
    port: server.port,
    requests,
    count: extent.count,
    seconds: extent.seconds,
  });
  const after = await server.usage();
  return { cpu: (after.cpu - before.cpu) / answered, rate: answered / seconds };
}

function costOf(samples: { cpu: number; rate: number }[]): Cost {
  const rounds = samples.map((sample) => sample.cpu);
  return { cpu: median(rounds), rate: median(samples.map((sample) => sample.rate)), rounds };
}

/** Deals requests out to the connections. */
export function overConnections(requests: LoadRequest[]): LoadRequest[][] {
  return Array.from({ length: CONNECTIONS }, (_, connection) =>
    requests.filter((_request, index) => index % CONNECTIONS === connection),
  );
}
