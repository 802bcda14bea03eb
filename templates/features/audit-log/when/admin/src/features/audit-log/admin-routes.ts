import { z } from 'zod';
import { ListPage } from '../admin/list-page.js';
import { get } from '../admin/route.js';

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

const AuditSearch = ListPage.extend({
  actorId: z.string().max(64).optional(),
  target: z.string().max(400).optional(),
  since: time.optional(),
  until: time.optional(),
});

const Entry = z.object({
  id: z.string(),
  occurredAt: z.iso.datetime(),
  action: z.string(),
  actorId: z.string().nullable(),
  target: z.string().nullable(),
  details: z.looseObject({}),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  correlationId: z.string().nullable(),
});

export const adminRoutes = [
  get(
    '/audit',
    {
      summary: 'Search the audit log',
      permission: 'audit:read',
      query: AuditSearch,
      reply: z.object({ audit: z.array(Entry), total: z.number() }),
    },
    async ({ query, services }) => {
      const { records, total } = await services.auditLog.search(query);
      const audit = records.map((record) => ({
        ...record,
        occurredAt: new Date(record.occurredAt).toISOString(),
      }));
      return { body: { audit, total } };
    },
  ),
];
