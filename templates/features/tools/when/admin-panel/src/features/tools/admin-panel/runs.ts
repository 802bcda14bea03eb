import { refuse } from '../../../http/errors.js';
import { type Html, html } from '../../../http/html.js';
import { list } from '../../admin-panel/list.js';
import { badge, time } from '../../admin-panel/parts.js';
import { form } from '../../pages/form.js';
import type { SignedIn } from '../../pages/visit.js';
import type { DryRun, RunView } from '../admin/feature.js';
import { texts } from './texts.js';

/** A form to run the script with, and what came of it. `editor.browser.js` replaces this part in place. */
export function dryRun(visit: SignedIn, tried?: { run: DryRun; body: string }): Html {
  const t = texts[visit.language];
  const value = tried?.body ?? '{}';
  const fields = [{ name: 'body', label: t.payload, hint: t.payloadHint, rows: 6, value }];
  return html`<section id="dry-run"><h2>${t.dryRun}</h2>
${form(visit, { name: 'dry-run', fields, submit: t.run, look: 'plain' })}
${tried && came(visit, tried.run)}</section>`;
}

function came(visit: SignedIn, { result, error, log, calls, durationMs }: DryRun): Html {
  const t = texts[visit.language];
  return html`<div role="status"><p class="notice ${error === null ? 'good' : 'bad'}">${error ?? t.ran} (${durationMs} ms)</p>
<dl>
<dt>${t.result}</dt><dd><pre>${JSON.stringify(result ?? null, undefined, 2)}</pre></dd>
<dt>${t.log}</dt><dd>${log.length > 0 ? html`<pre>${log.join('\n')}</pre>` : '–'}</dd>
<dt>${t.called}</dt><dd>${called(visit, calls)}</dd>
</dl></div>`;
}

function called({ language }: SignedIn, calls: RunView['calls']): Html {
  const t = texts[language];
  if (calls.length === 0) return html`–`;
  return html`<span>${calls.map(({ id, ok }) => html`<code>${id}</code> ${!ok && badge(t.failed, 'bad')} `)}</span>`;
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse('VALIDATION_FAILED', {
      details: [{ path: 'body', message: 'This is not JSON.' }],
    });
  }
}

/** The last runs of the webhook of the path. */
export async function runs(visit: SignedIn): Promise<Html> {
  const t = texts[visit.language];
  return html`<h2>${t.runs}</h2>
${await list<'runs', RunView>(visit, {
  route: 'GET /webhooks/{id}/runs',
  of: 'runs',
  columns: () => [
    { title: t.time, cell: ({ startedAt }) => time(visit, startedAt) },
    { title: t.duration, cell: ({ durationMs }) => `${durationMs} ms` },
    { title: t.event, cell: ({ event }) => event ?? '' },
    { title: t.called, cell: ({ calls }) => called(visit, calls) },
    { title: t.outcome, cell: (run) => outcomeOf(visit, run) },
  ],
})}`;
}

function outcomeOf({ language }: SignedIn, { error, log }: RunView): Html {
  const t = texts[language];
  const said = html`<details><summary>${t.log}</summary><pre>${log.join('\n')}</pre></details>`;
  return html`<div>${error === null ? badge(t.ok, 'good') : html`${badge(t.failed, 'bad')} ${error}`}
${log.length > 0 && said}</div>`;
}
