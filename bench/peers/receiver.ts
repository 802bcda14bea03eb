import { createServer } from 'node:http';

/** Receives webhooks and counts them; `GET /` says how many, and how many different messages. */
const messages = new Set<string>();
let received = 0;

createServer((request, response) => {
  if (request.method === 'GET') return response.end(JSON.stringify([received, messages.size]));
  request.resume().on('end', () => {
    received += 1;
    messages.add(`${request.url} ${request.headers['webhook-id']}`);
    response.end();
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
