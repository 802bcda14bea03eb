import { expect, test } from 'vitest';
import { openPanel } from './panel.js';
import { startWithPages } from './visitor.js';

test('after an error a box stays ticked though its name resembles that of a secret', async () => {
  const service = await startWithPages();
  const { resources } = service.services;
  const { visit } = await openPanel(service);
  // As if a route of the team's own required it.
  const own = resources.map(({ routes, ...resource }) => ({
    ...resource,
    routes: routes.map((route) => ({ ...route, permission: 'tokens:read' })),
  }));
  resources.push(...own);
  await visit.open('/admin/roles');

  const page = await visit.submit('create', { name: 'No name', 'permission tokens:read': 'on' });

  expect([page.status, page.errorOf('name')]).toEqual([400, expect.any(String)]);
  expect(page.valueOf('permission tokens:read')).toBe('on');
});
