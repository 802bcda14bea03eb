import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.js';
import type { Services } from '../../services.js';
import { seal, unseal } from './seal.js';

/** A text column whose values are sealed, each for its own row. */
export interface SealedColumn {
  table: Extract<keyof Database, string>;
  column: string;
  /** The column that identifies rows. */
  id: string;
}

declare module '../../feature.js' {
  interface FeatureParts {
    /** The feature's columns of sealed values, for `npm run keys` and `npm run check`. */
    sealedColumns?: readonly SealedColumn[];
  }
}

type Connection = Pick<Services, 'config' | 'db' | 'features'>;

/** Values read at a time. */
const PAGE = 500;

/** Seals a value of a row. */
export function sealFor({ config }: Services, column: SealedColumn, id: string, text: string) {
  return seal(config, contextOf(column, id), text);
}

/**
 * Opens a value of a row; one that an older key opened is resealed with the first key. Undefined if no key
 * opens it: the caller continues, and the log says what to do.
 */
export async function open(
  services: Services,
  column: SealedColumn,
  id: string,
  sealed: string,
): Promise<string | undefined> {
  const { config, log } = services;
  const opened = unseal(config, contextOf(column, id), sealed);
  if (!opened) {
    const remedy = 'no key of DATA_KEY opens this value: restore the key that sealed it';
    log.error({ table: column.table, column: column.column, id }, remedy);
  } else if (opened.key > 0) {
    // If this fails, the next use tries again.
    await replace(services, column, id, sealed, opened.text).catch((error: unknown) =>
      log.warn({ err: error }, 'a value could not be resealed'),
    );
  }
  return opened?.text;
}

/** Counts the values that each key of DATA_KEY has sealed, in the order of the keys, and those that no key opens. */
export async function countValues(connection: Connection) {
  const ofKeys = connection.config.DATA_KEY.map(() => 0);
  let unopened = 0;
  for await (const { opened } of allValues(connection)) {
    if (opened) ofKeys[opened.key] = (ofKeys[opened.key] ?? 0) + 1;
    else unopened += 1;
  }
  return { ofKeys, unopened };
}

/** Seals every value with the first key of DATA_KEY; returns the number of those that another key had sealed. */
export async function resealAll(connection: Connection): Promise<number> {
  let resealed = 0;
  for await (const { column, id, sealed, opened } of allValues(connection)) {
    if (!opened || opened.key === 0) continue;
    await replace(connection, column, id, sealed, opened.text);
    resealed += 1;
  }
  return resealed;
}

/** The row, but not the column: a sealed value can be moved to another column unchanged. */
function contextOf({ table }: SealedColumn, id: string): string {
  return `${table}:${id}`;
}

async function* allValues({ config, db, features }: Connection) {
  for (const column of features.flatMap(({ sealedColumns }) => sealedColumns ?? [])) {
    for await (const { id, sealed } of valuesOf(db, column)) {
      yield { column, id, sealed, opened: unseal(config, contextOf(column, id), sealed) };
    }
  }
}

async function* valuesOf(db: Db, { table, column, id }: SealedColumn) {
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string; sealed: string }>`
      select ${sql.ref(id)} as id, ${sql.ref(column)} as sealed from ${sql.table(table)}
      where ${sql.ref(column)} is not null and ${sql.ref(id)} > ${after}
      order by ${sql.ref(id)} limit ${sql.lit(PAGE)}`.execute(db);
    yield* rows;
    const last = rows.at(-1);
    if (rows.length < PAGE || !last) return;
    after = last.id;
  }
}

/** Replaces a value only if it is still the one that was read: a newer one stays. */
async function replace(
  { config, db }: Connection,
  column: SealedColumn,
  id: string,
  sealed: string,
  text: string,
): Promise<void> {
  const resealed = seal(config, contextOf(column, id), text);
  await sql`update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${resealed}
    where ${sql.ref(column.id)} = ${id} and ${sql.ref(column.column)} = ${sealed}`.execute(db);
}
