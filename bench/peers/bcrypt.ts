import { createServer } from 'node:http';
import bcrypt from 'bcrypt';

/** Raw bcrypt: each request is one comparison at the cost in COST, and next to nothing else. */
const password = 'correct horse battery staple';
const hash = bcrypt.hashSync(password, Number(process.env.COST));
createServer(async (_request, response) => {
  await bcrypt.compare(password, hash);
  response.setHeader('Content-Length', 0).end();
}).listen(Number(process.env.PORT), '127.0.0.1');
