import express from 'express';

/** The bare framework with its default settings: what any route of an Express app costs at least. */
const app = express();
app.get('/hello', (_request, response) => {
  response.json({ hello: 'world' });
});
app.listen(Number(process.env.PORT), '127.0.0.1');
