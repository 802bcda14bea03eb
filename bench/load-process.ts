import { type Connection, openConnection, type RawAnswer } from './http-connection.js';
import {
  type LoadJob,
  type LoadRequest,
  type LoadResult,
  REFRESH_TOKEN,
  writeOut,
} from './load-job.js';
import { percentile } from './statistics.js';

/** The load generator, a process of its own: what it costs is never counted as the server's. */
process.on('message', ({ id, job }: { id: number; job: LoadJob }) => {
  run(job).then(
    (result) => process.send?.({ id, result }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());

async function run(job: LoadJob): Promise<LoadResult> {
  const times: number[] = [];
  const start = performance.now();
  const end = start + job.seconds * 1000;
  let left = job.count;

  async function drive(connection: Connection, requests: LoadRequest[]): Promise<void> {
    const texts = requests.map(writeOut);
    for (let turn = 0; left-- > 0 && performance.now() < end; turn += 1) {
      const index = turn % requests.length;
      const sent = performance.now();
      const answer = await connection.send(texts[index] ?? '');
      times.push(performance.now() - sent);
      requireSuccess(answer);
      const request = requests[index];
      if (request?.token) texts[index] = writeOut(rotate(request, answer));
    }
    connection.close();
  }

  const connections = await Promise.all(job.requests.map(() => openConnection(job.port)));
  await Promise.all(
    connections.map((connection, index) => drive(connection, job.requests[index] ?? [])),
  );
  return {
    answered: times.length,
    seconds: (performance.now() - start) / 1000,
    p50: percentile(times, 50),
    p99: percentile(times, 99),
    tokens: job.requests.map((requests) => requests.map((request) => request.token)),
  };
}

/** Puts the answer's refresh token into the request. */
function rotate(request: LoadRequest, answer: RawAnswer): LoadRequest {
  request.token = REFRESH_TOKEN.exec(answer.text)?.[1] ?? '';
  return request;
}

function requireSuccess({ status, text }: RawAnswer): void {
  if (status < 200 || status > 299) throw new Error(`The server answered ${text}`);
}
