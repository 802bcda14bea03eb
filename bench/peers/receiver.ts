import { createServer } from 'node:http';

/** Receives webhooks and counts them; `GET /` says how many. */
let received = 0;

createServer((request, response) => {
  if (request.method === 'GET') return response.end(String(received));
  request.resume().on('end', () => {
    received += 1;
    response.end();
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
