import { sql } from 'kysely';
import * as z from 'zod';
import { defineFeature } from '../../feature.js';
import { post, type Route } from '../../http/route.js';
import type { Services } from '../../services.js';

/** Columns of secrets, their hashes or the identifiers of tokens: nobody needs a copy of those. */
const SECRET = /secret|hash|token|password|payload|refresh|lease|key/i;
/** Types of columns that can hold an id; a column may have none. Beside a number, '3dcf…' could count as 3. */
const ID_TYPE = /^(?:[a-z ]*(?:char|text|uuid)|$)/i;

/** Columns that name a person; in the audit log, the actor and the target. */
export const PERSON = ['user_id', 'actor', 'target'];
/** Without `target`: rows about what others did contain the IP addresses and devices of those others. */
const OWN = ['user_id', 'actor'];

/**
 * All data stored about a person, by table: the rows that name them in any table, your own included (GDPR article 15).
 * Times are ISO 8601 UTC. Undefined if there is no such user.
 */
export async function exportDataOf(
  { db }: Services,
  userId: string,
  person: string[],
): Promise<Record<string, unknown> | undefined> {
  const data: Record<string, unknown[]> = {};
  for (const { name, columns } of await db.introspection.getTables()) {
    const names = columns.map((column) => column.name);
    const ids = columns.filter(({ dataType }) => ID_TYPE.test(dataType)).map((each) => each.name);
    const keys = name === 'users' ? ['id'] : person.filter((key) => ids.includes(key));
    if (keys.length === 0) continue;
    const theirs = keys.map((key) => sql`${sql.ref(key)} = ${userId}`);
    const shown = names.filter((column) => !SECRET.test(column));
    const { rows } = await sql<Record<string, unknown>>`
      select ${sql.join(shown.map((column) => sql.ref(column)))}
      from ${sql.table(name)} where ${sql.join(theirs, sql` or `)}`.execute(db);
    const readable = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, shownAs(key, value)])),
    );
    if (readable.length > 0) data[name] = readable;
  }
  return data.users && data;
}

/** Your own tables may hold anything under such names: a value that is not a time, or not JSON, is shown as it is. */
function shownAs(name: string, value: unknown): unknown {
  const isTime = /_(?:at|until|since)$/.test(name) && Number(value) > 0;
  try {
    if (isTime) return new Date(Number(value)).toISOString();
    return name === 'metadata' || name === 'details' ? JSON.parse(String(value)) : value;
  } catch {
    return value;
  }
}

const FILE = { 'content-disposition': 'attachment; filename="account.json"' };

export const dataExport = defineFeature({
  limits: {
    /** Each export reads all tables. */
    exportsOfAccount: { points: 5, seconds: 3600 },
  },
  routes: (): Route[] => [
    // POST, because the body holds the reauthentication, and no other site can make a browser send it.
    post('/account/export', {
      summary: 'Export all data stored about you',
      access: 'strong',
      reply: z.object({ user: z.string(), data: z.record(z.string(), z.unknown()) }),
      limits: ({ caller }) => [['exportsOfAccount', caller.user.id]],
      handle: async ({ caller, services }) => {
        const { id } = caller.user;
        const document = { user: id, data: (await exportDataOf(services, id, OWN)) ?? {} };
        return { text: JSON.stringify(document, null, 2), headers: FILE };
      },
    }),
  ],
});
