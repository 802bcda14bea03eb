import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { failuresOf } from '../src/http/openapi.js';
import { mountsOf, type Route } from '../src/http/route.js';
import { nativeClient } from './client.js';
import { startTestService, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

/** For each route; every run of the tests draws others. */
const RUNS = 5;

/** Input of an attacker: wrong types, huge values, non-ASCII, control characters, names of prototypes. */
const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'x'.repeat(20_000),
    'ünïcödé@exämple.com',
    "' or 1=1; drop table users; --",
    '{"$ne": null}',
    '../../etc/passwd',
    'a@example.com\r\nBcc: b@example.com',
    '<script>alert(1)</script>',
    '__proto__',
    '0x1F',
    '1e400',
  ),
);
/** For a URL: without lone surrogates, which no URL can hold. */
const shortText = hostileText.map((text) => text.slice(0, 300).replaceAll(/\p{Cs}/gu, ''));
const hostileValue = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, 0, -1, 1e308, 2 ** 53, [], {}, [[[[]]]], [null], { length: -1 }),
  fc.jsonValue({ maxDepth: 3 }),
);

function hostileBody(route: Route) {
  const { properties = {} } = route.body ? z.toJSONSchema(route.body, { io: 'input' }) : {};
  const fields = Object.keys(properties).map((name) => [name, hostileValue] as const);
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  const others = fc.dictionary(hostileText, hostileValue, { maxKeys: 3 });
  const forged = fc.constantFrom(
    '{"__proto__": {"isAdmin": true}}',
    '{"constructor": {"prototype": {"isAdmin": true}}}',
    '{"a": 1, "a": 2}',
    '[',
    '\ufeff{}',
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
  );
  return fc.oneof(
    { weight: 5, arbitrary: known },
    {
      weight: 1,
      arbitrary: fc.record({ known, others }).map((both) => ({ ...both.others, ...both.known })),
    },
    { weight: 1, arbitrary: hostileValue },
    { weight: 1, arbitrary: forged },
  );
}

// Thousands of requests: on a busy machine they take minutes.
test.each(['anybody', 'a user', 'an administrator'])('bad input by %s', bombardAll, 300_000);

async function bombardAll(who: string): Promise<void> {
  const service = await startTestService();
  const bystander = await signInAs(service);
  for (const { prefix, routes } of mountsOf(service.services)) {
    const ofApi = routes.filter(({ isPage }) => !isPage);
    for (const route of ofApi) await bombard({ ...service, prefix }, route, who);
  }
  expect((await bystander.client.get('/me')).status, 'nobody else is touched').toBe(200);
}

async function bombard(service: TestService, route: Route, who: string): Promise<void> {
  let client = await clientOf(service, who);
  const allowed = [...failuresOf(service.services, route)].flatMap(([, codes]) => codes);
  const input = fc.record({
    body: hostileBody(route),
    params: fc.array(shortText, { minLength: 3, maxLength: 3 }),
    query: fc.option(fc.tuple(shortText, shortText)),
  });
  await fc.assert(
    fc.asyncProperty(input, async ({ body, params, query }) => {
      const search = query ? `?${new URLSearchParams([query]).toString()}` : '';
      const path = pathOf(route, params) + search;
      const answer = await client.send(
        route.method,
        path,
        route.method === 'GET' ? undefined : body,
      );
      // It may have ended its own session, or deleted its account.
      const isChanged = answer.status < 400 && route.method !== 'GET';
      if (isChanged || answer.status === 401) client = await clientOf(service, who);
      if (answer.status < 400) return;
      expect(answer.status, `${route.method} ${path}`).toBeLessThan(500);
      expect(allowed, `${route.method} ${path}`).toContain(answer.body.code);
    }),
    { numRuns: RUNS },
  );
}

async function clientOf(service: TestService, who: string) {
  if (who === 'anybody') return nativeClient(service);
  const role = who === 'an administrator' ? 'admin' : 'user';
  const { accessToken } = await signInAs(service, { role });
  return nativeClient(service, accessToken);
}

function pathOf({ path }: Route, params: string[]): string {
  let at = 0;
  return path.replaceAll(/\{\w+\}/g, () => {
    at += 1;
    const value = params[at % params.length] ?? '';
    return value === '' || value === '.' || value === '..' ? 'x' : encodeURIComponent(value);
  });
}
