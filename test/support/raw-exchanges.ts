const ADA = JSON.stringify({ email: 'ada@example.com', password: 'correct horse battery staple' });

/** What is sent over one connection, by what it is about; each ends with what closes the connection. */
export const exchanges: Record<string, string[]> = {
  'an unknown path': [get('/nothing'), get('/auth/nothing'), get('/auth/me/'), get('//auth/me')],
  'odd spellings of a path': [
    '/AUTH/me',
    '/auth/%6de',
    '/auth/%zz',
    '/auth/x/../me',
    '/auth/me;a',
  ].map((path) => get(path)),
  'absolute and strange targets': [get('http://other.test/auth/me'), get('*'), get('/auth\\me')],
  parameters: ['%41', '%2F', '%', '%zz', '%ff', '%00', 'x'.repeat(3000), 'a/b'].map((handle) =>
    request('DELETE', `/auth/sessions/${handle}`),
  ),
  'a browser without cookies': [get('/auth/me'), request('HEAD', '/auth/me'), get('/healthz')],
  methods: ['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'OPTIONS', 'BREW', 'get'].map(
    (method) => request(method, '/auth/me'),
  ),
  preflights: ['http://localhost:3000', 'http://evil.test', 'null'].map((origin) =>
    request('OPTIONS', '/auth/login', [`Origin: ${origin}`, 'Access-Control-Request-Method: POST']),
  ),
  'bodies of sign-ins': [
    '{}',
    '{',
    '[]',
    'null',
    '',
    ' ',
    '{"email":7}',
    '{"__proto__":{"a":1}}',
  ].map((body) => json('/auth/login', body)),
  'an account': [
    json('/auth/register', ADA),
    json('/auth/login', ADA),
    json('/auth/register', ADA),
  ],
  'a wrong password': [json('/auth/login', '{"email":"nobody@example.com","password":"guess"}')],
  'content types': [
    'text/plain',
    ';;',
    'application/json;charset=utf-8',
    'multipart/form-data',
    '',
  ].map((type) =>
    request('POST', '/auth/login', [`Content-Type: ${type}`, 'Content-Length: 2'], '{}'),
  ),
  'a body too large, by its word and by its chunks': [
    request('POST', '/auth/login', ['Content-Type: text/plain', 'Content-Length: 999999999']),
    request(
      'POST',
      '/auth/login',
      ['Transfer-Encoding: chunked'],
      `40000\r\n${'x'.repeat(0x40000)}\r\n`,
    ),
  ],
  'a body for nobody': [
    json('/auth/nothing', '{'),
    json('/nothing', 'x'.repeat(9_000_00)),
    json('/auth/logout', '{'),
  ],
  compressed: [
    request(
      'POST',
      '/auth/login',
      ['Content-Encoding: gzip', 'Content-Type: application/json', 'Content-Length: 2'],
      '{}',
    ),
  ],
  cookies: [
    'accessToken=%E0%A4%A',
    ';;=;',
    '__proto__=x',
    'accessToken="a.b.c"',
    'csrf-token=x',
  ].map((cookie) => request('GET', '/auth/me', [`Cookie: ${cookie}`])),
  credentials: ['Bearer', 'Bearer a.b.c', 'Basic YTpi', 'x'].map((value) =>
    request('GET', '/auth/me', [`Authorization: ${value}`]),
  ),
  'other sites': [
    request('POST', '/auth/refresh', ['Origin: http://evil.test', 'Content-Length: 0']),
  ],
  hosts: ['127.1', 'a b', '@', '', 'AUTH:99999', 'x/../y'].map(
    (host) => `GET /auth/me HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  ),
  'no host': [
    'GET /auth/me HTTP/1.1\r\nConnection: close\r\n\r\n',
    'GET /auth/me HTTP/1.0\r\n\r\n',
  ],
  'no HTTP': ['nonsense\r\n\r\n', 'GET /auth/me HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n'],
  'headers too large': [request('GET', '/auth/me', [`X-Huge: ${'x'.repeat(20_000)}`])],
  expectations: [
    request('POST', '/auth/refresh', ['Expect: 100-continue', 'Content-Length: 0']),
    request('GET', '/auth/me', ['Expect: more']),
  ],
  'the tools router': ['{', '{}', '[1]'].map((body) => json('/tools/webhook/nobody', body)),
  'the administration': [
    get('/admin/api/users'),
    get('/admin/api/nothing'),
    request('PUT', '/admin/api/ping'),
  ],
  redirects: [
    request('GET', '/auth/verify-email?token=x', ['Accept: text/html']),
    get('/auth/oauth/nobody'),
  ],
  'one after the other on one connection': [
    [
      kept('GET', '/auth/me'),
      kept('POST', '/auth/login', ['Content-Type: application/json', 'Content-Length: 1'], '{'),
      kept('PUT', '/auth/me', ['Content-Length: 3'], '{}}'),
      kept('GET', '/healthz'),
      get('/nothing'),
    ].join(''),
  ],
};

function kept(method: string, target: string, headers: string[] = [], body = ''): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: auth.test', ...headers, '', body].join('\r\n');
}

function request(method: string, target: string, headers: string[] = [], body = ''): string {
  return kept(method, target, [...headers, 'Connection: close'], body);
}

function get(target: string): string {
  return request('GET', target);
}

function json(target: string, body: string): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return request('POST', target, ['Content-Type: application/json', length], body);
}
