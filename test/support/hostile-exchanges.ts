import fc from 'fast-check';
import type { EmittedRoute } from './emitted-routes.js';

/** Bytes as one character each; `{access}` and its like stand for credentials, `{address}` for a client's address. */
type Text = string;

const METHODS = ['HEAD', 'OPTIONS', 'PUT', 'TRACE', 'PROPFIND', 'M-SEARCH', 'QUERY', 'CONNECT'];
const VALUES = [
  'x',
  '%41',
  '%2F',
  '%252f',
  '%00',
  '%',
  '%zz',
  '%ff',
  '\xc3\xbc',
  '..',
  '*',
  ':x',
  '{x}',
  'a;b',
  'github',
  'admin',
  'x'.repeat(3000),
];
const QUERIES = ['', '', '?', '?a=%zz', '?token=x&token=y', '?limit=1', '?filter=%00', '?a=b#c'];
const QUERIES_OF_OAUTH = ['?return_path=/x', '?return_path=%2F%0d%0aX:y', '?return_path=//evil'];
const SPELLINGS: ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => path.toUpperCase(),
  (path) => path.replace('a', '%61'),
  (path) => path.replace(/\/(?=[^/]*$)/, '/x/../'),
  (path) => `${path};a=b`,
  (path) => `${path}#x`,
  (path) => `http://other.test${path}`,
  (path) => `ftp://other.test${path}`,
  (path) => `http://other.test?${path}`,
  (path) => path.slice(1),
  (path) => path.replaceAll('/', '\\'),
  () => '*',
  () => 'other.test:443',
];
const HEADERS = [
  ...['text/html', 'application/json', '*/*'].map((value) => `Accept: ${value}`),
  ...['', 'x', 'Basic YTpi', 'Bearer', 'Bearer x', 'Bearer \xff', 'bearer  {access} '].map(
    (value) => `Authorization: ${value}`,
  ),
  ...[
    'a',
    ';=;',
    '__proto__=x',
    'accessToken=%E0',
    'accessToken="{access}"',
    '\xa0accessToken={access}',
  ].map((value) => `Cookie: ${value}`),
  ...['bearer', 'BEARER', 'cookie', ''].map((value) => `X-Auth-Strategy: ${value}`),
  ...['{csrf}', '{csrf}, x', ''].map((value) => `X-CSRF-Token: ${value}`),
  ...['http://localhost:3000', 'http://evil.test', 'null', 'http://localhost:3000/', '*'].map(
    (value) => `Origin: ${value}`,
  ),
  ...[
    'application/json; charset=x',
    'APPLICATION/JSON',
    'application/jsonp',
    'text/plain',
    ';',
    '',
  ].map((value) => `Content-Type: ${value}`),
  ...['gzip', 'identity', ''].map((value) => `Content-Encoding: ${value}`),
  ...['0', '00', '+2', '2, 2', '9'.repeat(30)].map((value) => `Content-Length: ${value}`),
  ...['identity', 'gzip, chunked', '\r\n chunked', 'xchunked'].map(
    (value) => `Transfer-Encoding: ${value}`,
  ),
  ...['Upgrade', 'close', 'keep-alive', 'Authorization'].map((value) => `Connection: ${value}`),
  ...['100-continue', 'x'].map((value) => `Expect: ${value}`),
  ...['unknown', '203.0.113.9:80', '::1, x', 'x'.repeat(200)].map(
    (value) => `X-Forwarded-For: ${value}`,
  ),
  'Access-Control-Request-Method: PUT',
  'Access-Control-Request-Headers: *',
  'Accept-Version: 1',
  'If-None-Match: *',
  'Range: bytes=0-1',
  'Host: other.test',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'X-HTTP-Method-Override: DELETE',
  'X-Original-URL: /admin/api/users',
  'X-Forwarded-Host: evil.test',
  'X-Correlation-Id: no no',
  'X: y\r\n folded',
  'X: \x01',
  'X y: z',
  'No colon',
  '__proto__: x',
];
const BODIES = [
  ...['', ' ', '{', '[]', 'null', '"x"', 'NaN', '{} {}', '{"a":1e999}', '{"a":1,"a":2}'],
  ...['{"__proto__":{"isAdmin":true}}', '{"email":"\\ud800"}', '{"email":"a\\u0000b"}'],
  ...['\xef\xbb\xbf{}', '{"email":"\xff"}', `${'['.repeat(102)}${']'.repeat(102)}`, 'a=b&c=d'],
  ...['x'.repeat(102_401), `{"x":"${'y'.repeat(102_392)}"}`],
];
const FIELDS = ['', 'x', 'a@example.com', '{email}', '{refresh}', 'ü', '\0', 'x'.repeat(300), null];
const OTHER_FIELDS = [true, 0, -1, 1e308, [], {}, [null], ['users:read']];

const chunk = (text: Text) => (text ? `${text.length.toString(16)}\r\n${text}\r\n` : '');
const CHUNKED = 'Transfer-Encoding: chunked';
/** How long a body says it is, and what is sent of it. */
const FRAMES: ((body: Text) => [header: string, sent: Text])[] = [
  (body) => [CHUNKED, `${chunk(body.slice(0, 3))}${chunk(body.slice(3))}0\r\n\r\n`],
  (body) => [CHUNKED, `${body.length.toString(16)};a="b"\r\n${body}\r\n0\r\nX: y\r\n\r\n`],
  (body) => [CHUNKED, `${chunk(body)}zz\r\n`],
  (body) => [CHUNKED, `0x${chunk(body)}0\r\n\r\n`],
  (body) => [CHUNKED, `${chunk(body).replaceAll('\r\n', '\n')}0\n\n`],
  (body) => [`${CHUNKED}\r\nContent-Length: ${body.length}`, `${chunk(body)}0\r\n\r\n`],
  (body) => [`Content-Length: ${Math.max(0, body.length - 1)}`, body],
  (body) => ['X-No-Length: 1', body],
];
const byLength = (body: Text): [string, Text] => [`Content-Length: ${body.length}`, body];

const CREDENTIALS = [
  [],
  ['Authorization: Bearer {access}'],
  ['Cookie: {cookies}'],
  ['Cookie: {cookies}', 'X-CSRF-Token: {csrf}'],
];
const from = 'X-Forwarded-For: {address}';
const VERSIONS = ['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', ''];
const HOSTS = ['', 'Host: a\r\nHost: b', 'Host: a b', 'Host: [::1', 'Host:'];

/** Mostly the first, so that a request is odd in one way or two and gets far. */
function mostly<T>(usual: fc.Arbitrary<T>, odd: readonly T[], weight = 12): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...odd) });
}

function bodyFor({ fields }: EmittedRoute): fc.Arbitrary<Text> {
  const value = fc.constantFrom(...FIELDS, ...OTHER_FIELDS);
  const known = fc.record(Object.fromEntries(fields.map((name) => [name, value])), {
    requiredKeys: [],
  });
  const asBytes = known.map((body) => Buffer.from(JSON.stringify(body)).toString('latin1'));
  return mostly(asBytes, BODIES, 3);
}

function targetFor({ path }: EmittedRoute): fc.Arbitrary<Text> {
  const queries = path.includes('oauth') ? QUERIES_OF_OAUTH : QUERIES;
  return fc
    .record({
      value: fc.constantFrom(...VALUES),
      query: fc.constantFrom(...queries),
      spell: mostly(
        fc.constant((text: string) => text),
        SPELLINGS,
        20,
      ),
    })
    .map(({ value, query, spell }) => spell(path.replaceAll(/\{\w+\}/g, () => value)) + query);
}

function requestTo(route: EmittedRoute): fc.Arbitrary<Text> {
  return fc
    .record({
      method: mostly(fc.constant(route.method), METHODS, 6),
      target: targetFor(route),
      version: mostly(fc.constant('HTTP/1.1'), VERSIONS, 40),
      host: mostly(fc.constant('Host: auth.test'), HOSTS, 40),
      credentials: fc.constantFrom(...credentialsFor(route.path)),
      type: mostly(fc.constant('Content-Type: application/json'), ['X-No-Type: 1']),
      headers: fc.array(fc.constantFrom(...HEADERS), { maxLength: 3 }),
      body: bodyFor(route),
      frame: mostly(fc.constant(byLength), FRAMES, 8),
    })
    .map(({ method, target, version, host, credentials, type, headers, body, frame }) => {
      const [length, sent] = frame(body);
      const start = [`${method} ${target} ${version}`, host, type, from];
      const lines = [...start, ...credentials, ...headers];
      return `${[...lines, length].filter(Boolean).join('\r\n')}\r\n\r\n${sent}`;
    });
}

/** What is sent over one connection: one request or a few at once, each odd in some way. */
export function hostileExchange(routes: EmittedRoute[]): fc.Arbitrary<Text> {
  const request = fc.constantFrom(...routes).chain(requestTo);
  return fc
    .oneof(
      { weight: 4, arbitrary: fc.tuple(request) },
      { weight: 1, arbitrary: fc.array(request, { minLength: 2, maxLength: 3 }) },
    )
    .map((requests) => requests.join(''));
}

/** A usual request to a route, with credentials of each kind in turn. */
export function usualExchanges({ method, path }: EmittedRoute): Text[] {
  const target = path.replaceAll(/\{\w+\}/g, 'x');
  return credentialsFor(path).map((credentials) => {
    const type = 'Content-Type: application/json';
    const lines = [`${method} ${target} HTTP/1.1`, 'Host: auth.test', type, from, ...credentials];
    return `${lines.join('\r\n')}\r\nContent-Length: 2\r\n\r\n{}`;
  });
}

/**
 * An administrator's are for the administration: nobody is to end the administrator's session, nor to have everybody set up a
 * second factor.
 */
function credentialsFor(path: string): string[][] {
  const isOfOne = path.startsWith('/admin') && !/policy|settings/.test(path);
  return isOfOne ? [...CREDENTIALS, ['Authorization: Bearer {admin}']] : CREDENTIALS;
}
