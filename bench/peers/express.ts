import express from 'express';
import { refreshWork } from '../refresh-work.js';

/** The bare framework with its default settings: what any route costs at least, and what a refresh does. */
const app = express();
app.get('/hello', (_request, response) => {
  response.json({ hello: 'world' });
});
const { DATABASE_FILE, PORT } = process.env;
if (DATABASE_FILE) {
  const refresh = refreshWork(DATABASE_FILE);
  app.post('/refresh', (_request, response) => {
    refresh();
    response.json({ hello: 'world' });
  });
}
app.listen(Number(PORT), '127.0.0.1');
