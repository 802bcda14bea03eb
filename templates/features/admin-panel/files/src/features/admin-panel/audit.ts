import { type HtmlValue, html } from '../../http/html.js';
import { hasPermission } from '../../users/account.js';
import type { Listed } from '../admin/list.js';
import type { AuditRecord } from '../admin/store.js';
import { deviceName } from '../device-name/device-name.js';
import type { Field } from '../pages/form.js';
import type { SignedIn } from '../pages/visit.js';
import { type Column, list, table } from './list.js';
import { downloadPath, type PanelPage, panelPath, read } from './panel.js';
import { time, userLink } from './parts.js';
import { panelTexts } from './texts.js';
import type { UserSection } from './user.js';

/** The audit log, newest first. */
export const auditPage: PanelPage = {
  path: '/audit',
  permission: 'audit:read',
  isEntry: true,
  title: () => panelTexts.audit,
  content: async (visit) => {
    const query = auditQuery(visit);
    const search = new URLSearchParams({ ...query, format: 'ndjson' });
    const all = downloadPath(visit, `/audit?${search}`);
    return list<'audit', AuditRecord>(visit, {
      route: 'GET /audit',
      of: 'audit',
      filters,
      query,
      columns: (audit) => auditColumns(visit, audit),
      above: () => html`<p><a class="button" href="${all}">${panelTexts.exportAudit}</a></p>`,
    });
  },
};

const filters: Field[] = [
  { name: 'filter', label: panelTexts.event, type: 'search' },
  { name: 'actor', label: panelTexts.actorId },
  { name: 'target', label: panelTexts.targetId },
  { name: 'from', label: panelTexts.from, type: 'datetime-local' },
  { name: 'to', label: panelTexts.to, type: 'datetime-local' },
];

const SECONDS = '2026-11-22T00:00:00'.length;

/** Browsers send times without a zone, and omit zero seconds; the times of the page are UTC. */
function inUtc(time: string): string {
  return `${time.padEnd(SECONDS, ':00')}Z`;
}

/** The page's query as the API expects it. */
function auditQuery({ query }: SignedIn): Record<string, string> {
  const names = ['filter', 'actor', 'target', 'event', 'from', 'to'];
  const given = names.flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, name === 'from' || name === 'to' ? inUtc(value) : value]] : [];
  });
  return Object.fromEntries(given);
}

async function auditColumns(visit: SignedIn, audit: AuditRecord[]): Promise<Column<AuditRecord>[]> {
  const ids = audit.flatMap(({ actor, target }) => [actor, target?.split('/')[0]]);
  const people = await peopleOf(visit, ids);
  return [
    {
      title: panelTexts.time,
      cell: ({ occurredAt, ip }) => [
        time(visit, occurredAt),
        ip !== null && html` <span class="aside">${ip}</span>`,
      ],
    },
    { title: panelTexts.event, cell: ({ action }) => html`<code>${action}</code>` },
    { title: panelTexts.actor, cell: ({ actor }) => named(visit, people, actor) },
    { title: panelTexts.target, cell: ({ target }) => named(visit, people, target) },
    { title: panelTexts.details, cell: ({ details }) => detailList(details) },
  ];
}

/** The email addresses of existing users by id; empty if the caller may not read users. */
export async function peopleOf(visit: SignedIn, ids: (string | null | undefined)[]) {
  if (!hasPermission(visit.caller, 'users:read')) return new Map<string, string>();
  const known = [...new Set(ids)].filter((id) => id && /^[0-9a-f-]{36}$/.test(id));
  const users = await Promise.all(known.map((id) => visit.services.users.findById(id ?? '')));
  return new Map(users.flatMap((user) => (user ? [[user.id, user.email]] : [])));
}

/** Replaces a known user id by a link with their email address, and keeps the rest of the path; else the text as is. */
export function named(visit: SignedIn, people: Map<string, string>, text: string | null) {
  const [id = '', ...rest] = (text ?? '').split('/');
  const email = people.get(id);
  if (!email) return text ?? '';
  return [userLink(visit, id, email), rest.length > 0 && ` / ${rest.join('/')}`];
}

function detailList(details: AuditRecord['details']): HtmlValue {
  const rows = Object.entries(details).map(
    ([name, value]) =>
      html`<li><span>${name}</span> ${name === 'userAgent' ? deviceName(String(value)) : readable(value)}</li>`,
  );
  return rows.length > 0 && html`<ul>${rows}</ul>`;
}

/** A value of the details as text; a change as the old and the new value. */
function readable(value: unknown): string {
  if (Array.isArray(value)) return value.map(readable).join(', ') || '–';
  if (typeof value !== 'object' || value === null) return String(value);
  if ('old' in value && 'new' in value) return `${readable(value.old)} → ${readable(value.new)}`;
  return JSON.stringify(value);
}

export const auditSection: UserSection = {
  permission: 'audit:read',
  content: async (visit, { id }) => {
    const query = { target: id, limit: 20, cursor: '' };
    const { audit, next } = await read<Listed<'audit', AuditRecord>>(visit, 'GET /audit', query);
    const all = panelPath(visit, `/audit?target=${id}`);
    return html`<h2>${panelTexts.audit}</h2>
${table(audit, await auditColumns(visit, audit))}
${next !== null && html`<p><a href="${all}">${panelTexts.more}</a></p>`}`;
  },
};
