import { type HtmlValue, html } from '../../http/html.js';
import type { AuditRecord } from '../admin/store.js';
import { deviceName } from '../device-name/device-name.js';
import type { Field } from '../pages/field.js';
import type { SignedIn } from '../pages/visit.js';
import { type Columns, list, queryOf, readList, table } from './list.js';
import { downloadPath, may, type PanelPage, panelPath } from './panel.js';
import { time, userLink } from './parts.js';
import { t } from './texts.js';
import type { UserSection } from './user.js';

export const auditPage: PanelPage = {
  permission: 'audit:read',
  isEntry: true,
  title: () => t('Audit log'),
  content: async (visit) => {
    const search = new URLSearchParams({ ...queryOf(visit, filters), format: 'ndjson' });
    const all = downloadPath(visit, `/audit?${search}`);
    return list<AuditRecord>(visit, {
      route: 'GET /audit',
      filters,
      columns: (audit) => auditColumns(visit, audit),
      above: () => html`<p><a class="button" href="${all}">${t('Export as NDJSON')}</a></p>`,
    });
  },
};

const filters: Field[] = [
  { name: 'filter', label: t('Event'), type: 'search' },
  { name: 'actor', label: t('By (email or id)') },
  { name: 'target', label: t('To (email or id)') },
  { name: 'from', label: t('From (UTC)'), type: 'datetime-local' },
  { name: 'to', label: t('Until (UTC)'), type: 'datetime-local' },
];

async function auditColumns(visit: SignedIn, audit: AuditRecord[]): Promise<Columns<AuditRecord>> {
  const ids = audit.flatMap(({ actor, target }) => [actor, target?.split('/')[0]]);
  const people = await peopleOf(visit, ids);
  return [
    [
      t('Time'),
      ({ occurredAt, ip }) =>
        html`${time(visit, occurredAt)} <span class="aside">${ip ?? ''}</span>`,
    ],
    [t('Event'), ({ action }) => html`<code>${action}</code>`],
    [t('By'), ({ actor }) => withUserLink(visit, people, actor)],
    [t('To'), ({ target }) => withUserLink(visit, people, target)],
    [t('Details'), ({ details }) => detailList(details)],
  ];
}

/** The email addresses of existing users by id; empty if the caller may not read users. */
async function peopleOf(visit: SignedIn, ids: (string | null | undefined)[]) {
  if (!may(visit, 'users:read')) return new Map<string, string>();
  const known = [...new Set(ids)].filter((id) => id && /^[0-9a-f-]{36}$/.test(id));
  const users = await Promise.all(known.map((id) => visit.services.users.findById(id ?? '')));
  return new Map(users.flatMap((user) => (user ? [[user.id, user.email]] : [])));
}

/** The text, with the id of a known user at its start replaced by a link with their email address. */
function withUserLink(visit: SignedIn, people: Map<string, string>, text: string | null) {
  const [id = '', ...rest] = (text ?? '').split('/');
  const email = people.get(id);
  if (!email) return text ?? '';
  return [userLink(visit, id, email), rest.length > 0 && ` / ${rest.join('/')}`];
}

function detailList(details: AuditRecord['details']): HtmlValue {
  const rows = Object.entries(details).map(
    ([name, value]) =>
      html`<li><span>${name}</span> ${name === 'userAgent' ? (deviceName(String(value)) ?? t('Unknown device')) : readable(value)}</li>`,
  );
  return rows.length > 0 && html`<ul>${rows}</ul>`;
}

/** A value as text; a change as the old and the new value. */
export function readable(value: unknown): string {
  if (Array.isArray(value)) return value.map(readable).join(', ') || '–';
  if (typeof value !== 'object' || value === null) return String(value);
  if ('old' in value && 'new' in value) return `${readable(value.old)} → ${readable(value.new)}`;
  return JSON.stringify(value);
}

export const auditSection: UserSection = {
  permission: 'audit:read',
  content: async (visit, { id }) => {
    const query = { target: id, limit: '20', cursor: '' };
    const { items, next } = await readList<AuditRecord>(visit, 'GET /audit', query);
    return html`<h2>${t('Audit log')}</h2>
${table(items, await auditColumns(visit, items))}
${next !== null && html`<p><a href="${panelPath(visit, `/audit?target=${id}`)}">${t('More')}</a></p>`}`;
  },
};
