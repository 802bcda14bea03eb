import { expect, test } from 'vitest';
import { browser } from '../../../test/client.js';
import { startTestService } from '../../../test/service.js';
import { routes } from '../../features.js';

const signIns = routes.filter(({ signsIn, reply }) => signsIn && reply).map(({ path }) => path);

test.each(signIns)('the document says that %s may ask for a second factor', async (path) => {
  const { paths } = (await browser(await startTestService()).get('/openapi.json')).body;
  const { 200: success, 403: refusal } = paths[path].post.responses;
  const replies = success.content['application/json'].schema.anyOf;
  expect(replies.map(({ required }: { required: string[] }) => required)).toContainEqual([
    'requiresTwoFactor',
    'tempToken',
    'available2faMethods',
  ]);
  const { properties } = refusal.content['application/json'].schema;
  expect(Object.keys(properties)).toEqual(['requires2FASetup', 'tempToken']);
});
