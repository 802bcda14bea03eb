import { type Connection, openConnection, type RawAnswer } from './http-connection.js';
import { type LoadJob, type LoadRequest, type LoadResult, writeOut } from './load-job.js';
import { percentile } from './statistics.js';

/** The refresh token of an answer: of its cookie, or of its body. */
const REFRESH_TOKEN = /refreshToken(?:=|":")([\w.-]+)/;

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

  /** Sends one request after the other; returns the last refresh token. */
  async function drive(connection: Connection, requests: LoadRequest[]): Promise<string> {
    let token = requests[0]?.token ?? '';
    const texts = requests.map((request) => writeOut(request, token));
    for (let turn = 0; left-- > 0 && performance.now() < end; turn += 1) {
      const sent = performance.now();
      const answer = await connection.send(texts[turn % texts.length] ?? '');
      times.push(performance.now() - sent);
      requireSuccess(answer);
      if (!token) continue;
      token = REFRESH_TOKEN.exec(answer.text)?.[1] ?? '';
      texts[0] = writeOut(requests[0] as LoadRequest, token);
    }
    connection.close();
    return token;
  }

  const connections = await Promise.all(job.requests.map(() => openConnection(job.port)));
  const tokens = await Promise.all(
    connections.map((connection, index) => drive(connection, job.requests[index] ?? [])),
  );
  return {
    answered: times.length,
    seconds: (performance.now() - start) / 1000,
    p50: percentile(times, 50),
    p99: percentile(times, 99),
    tokens,
  };
}

function requireSuccess({ status, text }: RawAnswer): void {
  if (status < 200 || status > 299) throw new Error(`The server answered ${text}`);
}
