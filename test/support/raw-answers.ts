import { once } from 'node:events';
import { connect } from 'node:net';

const OF_THE_MOMENT: [RegExp, string][] = [
  [/^Date: .*$/gm, 'Date: *'],
  [/^x-request-id: [\da-f-]{36}$/gm, 'x-request-id: *'],
  [/^(set-cookie: [\w-]+=)[^;]+/gm, '$1*'],
  [/"userId":"[^"]+"/g, '"userId":"*"'],
  [/^(ratelimit-reset|retry-after): \d+$/gm, '$1: *'],
];

/**
 * What comes back over a connection until it is closed: what is random or of the moment is `*`, and the headers of each
 * answer are sorted.
 */
export async function answersTo(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // Whoever is refused in the middle of a request may find the connection reset: what was said before counts.
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  const text = Buffer.concat(chunks).toString('latin1').replaceAll('\r\n', '\n');
  const masked = OF_THE_MOMENT.reduce((left, [moment, mask]) => left.replace(moment, mask), text);
  return masked
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .map(withSortedHeaders)
    .join('');
}

function withSortedHeaders(answer: string): string {
  const end = answer.indexOf('\n\n');
  const [status, ...headers] = answer.slice(0, end).split('\n');
  return [status, ...headers.sort()].join('\n') + answer.slice(end);
}
