import { once } from 'node:events';
import { connect } from 'node:net';

/** Longer than any REQUEST_TIMEOUT of a test: a connection that is open by then stays open. */
const patience = 10_000;

const OF_THE_MOMENT: [RegExp, string][] = [
  [/^Date: .*$/gm, 'Date: *'],
  [/^x-request-id: [\da-f-]{36}$/gm, 'x-request-id: *'],
  [/^(set-cookie: [\w-]+=)[^;]+/gm, '$1*'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '*'],
  [/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '*'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '*'],
  [/\b(state|nonce|code_challenge)=[^&\s]+/g, '$1=*'],
  [/"(secret|otpauthUrl|qrCode)":"[^"]+"/g, '"$1":"*"'],
  [/"recoveryCodes":\[[^\]]+\]/g, '"recoveryCodes":*'],
  [/"(users|sessions|audit|deliveries|webhooks)":\[.*\]/g, '"$1":*'],
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
  socket.setTimeout(patience, () => socket.destroy());
  socket.write(bytes, 'latin1');
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
  const [status, ...lines] = answer.slice(0, end).split('\n');
  // A list is of the moment, a QR code of what is random, and so is their length.
  const isOfAnyLength = answer.includes('":*') || answer.includes('"qrCode"');
  const headers = isOfAnyLength
    ? lines.map((line) => line.replace(/^(content-length: )\d+/, '$1*'))
    : lines;
  return [status, ...headers.sort()].join('\n') + answer.slice(end);
}
