import { type Html, html } from '../../../http/html.js';
import { list } from '../../admin-panel/list.js';
import { badge, time } from '../../admin-panel/parts.js';
import { form } from '../../pages/form.js';
import type { SignedIn } from '../../pages/visit.js';
import type { DryRun, RunView } from '../admin/feature.js';
import { texts } from './texts.js';

/** A form to run the script with, and the result. `editor.browser.js` replaces this part in place. */
export function dryRun(visit: SignedIn, tried?: { run: DryRun; body: string }): Html {
  const value = tried?.body ?? '{}';
  const fields = [{ name: 'body', label: texts.payload, hint: texts.payloadHint, rows: 6, value }];
  return html`<section id="dry-run"><h2>${texts.dryRun}</h2>
${form(visit, { name: 'dry-run', fields, submit: texts.run, look: 'plain' })}
${tried && came(tried.run)}</section>`;
}

function came({ result, error, log, calls, durationMs }: DryRun): Html {
  return html`<div role="status"><p class="notice ${error === null ? 'good' : 'bad'}">${error ?? texts.ran} (${durationMs} ms)</p>
<dl>
<dt>${texts.result}</dt><dd><pre>${JSON.stringify(result ?? null, undefined, 2)}</pre></dd>
<dt>${texts.log}</dt><dd>${log.length > 0 ? html`<pre>${log.join('\n')}</pre>` : '–'}</dd>
<dt>${texts.called}</dt><dd>${called(calls)}</dd>
</dl></div>`;
}

function called(calls: RunView['calls']): Html {
  return html`<span>${calls.length === 0 && '–'}${calls.map(({ id, ok }) => html`<code>${id}</code> ${!ok && badge(texts.failed, 'bad')} `)}</span>`;
}

/** The last runs of the webhook in the path. */
export async function runs(visit: SignedIn): Promise<Html> {
  return html`<h2>${texts.runs}</h2>
${await list<'runs', RunView>(visit, {
  route: 'GET /webhooks/{id}/runs',
  of: 'runs',
  columns: () => [
    { title: texts.time, cell: ({ startedAt }) => time(visit, startedAt) },
    { title: texts.duration, cell: ({ durationMs }) => `${durationMs} ms` },
    { title: texts.event, cell: ({ event }) => event ?? '' },
    { title: texts.called, cell: ({ calls }) => called(calls) },
    { title: texts.outcome, cell: (run) => outcomeOf(run) },
  ],
})}`;
}

function outcomeOf({ error, log }: RunView): Html {
  const said = html`<details><summary>${texts.log}</summary><pre>${log.join('\n')}</pre></details>`;
  return html`<div>${error === null ? badge(texts.ok, 'good') : html`${badge(texts.failed, 'bad')} ${error}`}
${log.length > 0 && said}</div>`;
}
