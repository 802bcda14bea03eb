import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { LoadJob, LoadResult } from './load-job.js';
import { processFolder } from './places.js';

export interface LoadGenerator {
  /** Runs one job. Refresh tokens in its requests are replaced by those it ended with. */
  run(job: LoadJob): Promise<LoadResult>;
  stop(): void;
}

type Message = { id: number } & ({ result: LoadResult } | { error: string });

/** Starts the load generator's process; jobs may run side by side. */
export function startLoadGenerator(): LoadGenerator {
  const child = fork(join(processFolder, 'load-process.mjs'), { execArgv: [] });
  const waiting = new Map<number, (message: Message) => void>();
  let lastId = 0;
  child.on('message', (message: Message) => {
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  return {
    async run(job) {
      lastId += 1;
      const id = lastId;
      const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
      child.send({ id, job });
      const message = await answered;
      if ('error' in message) throw new Error(message.error);
      keepTokens(job, message.result.tokens);
      return message.result;
    },
    stop: () => child.disconnect(),
  };
}

function keepTokens(job: LoadJob, tokens: LoadResult['tokens']): void {
  for (const [connection, requests] of job.requests.entries()) {
    for (const [index, request] of requests.entries()) {
      const token = tokens[connection]?.[index];
      if (token) request.token = token;
    }
  }
}
