import { type Html, html } from '../../../http/html.js';
import { list } from '../../admin-panel/list.js';
import { badge, time } from '../../admin-panel/parts.js';
import type { Field } from '../../pages/field.js';
import { form } from '../../pages/form.js';
import { inLanguageOf } from '../../pages/refusal.js';
import type { SignedIn } from '../../pages/visit.js';
import type { DryRun, RunView } from '../admin/feature.js';
import { t } from './texts.js';

/** A form to run the script with, and the result. `editor.browser.js` replaces this part in place. */
export function dryRun(visit: SignedIn, tried?: { run: DryRun; body: string }): Html {
  const body: Field = {
    name: 'body',
    label: t('Body of the call, as JSON'),
    hint: t('Runs the saved script. No event is emitted, but actions do run.'),
    rows: 6,
    value: tried?.body ?? '{}',
  };
  const unsaved = html`<noscript><p class="aside">${t('Save first: what you have changed above would be lost.')}</p></noscript>`;
  return html`<section id="dry-run"><h2>${t('Dry run')}</h2>
<p class="notice bad" id="no-result" role="alert" hidden>${t('There is no result. If your session has ended, sign in in another tab, then run it again.')}</p>
${form(visit, { name: 'dry-run', fields: [body, unsaved], submit: t('Run'), look: 'plain' })}
${tried && outcome(visit, tried.run)}</section>`;
}

function outcome(visit: SignedIn, { result, error, log, calls, durationMs }: DryRun): Html {
  return html`<div class="stack" role="status" tabindex="-1"><p class="notice ${error === null ? 'good' : 'bad'}">${error === null ? t('The script ran.') : inLanguageOf(visit, error)} (${durationMs} ms)</p>
<dl>
<dt>${t('Result')}</dt><dd><pre>${JSON.stringify(result ?? null, undefined, 2)}</pre></dd>
<dt>${t('Log')}</dt><dd>${log.length > 0 ? html`<pre>${log.join('\n')}</pre>` : '–'}</dd>
<dt>${t('Actions called')}</dt><dd>${called(calls)}</dd>
</dl></div>`;
}

function called(calls: RunView['calls']): Html {
  return html`<span>${calls.length === 0 && '–'}${calls.map(({ id, ok }) => html`<code>${id}</code> ${!ok && badge(t('Failed'), 'bad')} `)}</span>`;
}

/** The last runs of the webhook in the path. */
export async function runs(visit: SignedIn): Promise<Html> {
  return html`<h2>${t('Last runs')}</h2>
${await list<RunView>(visit, {
  route: 'GET /webhooks/{id}/runs',
  columns: () => [
    [t('Time'), ({ startedAt }) => time(visit, startedAt)],
    [t('Duration'), ({ durationMs }) => `${durationMs} ms`],
    [t('Event'), ({ event }) => event ?? ''],
    [t('Actions called'), ({ calls }) => called(calls)],
    [t('Outcome'), (run) => outcomeOf(visit, run)],
  ],
})}`;
}

function outcomeOf(visit: SignedIn, { error, log }: RunView): Html {
  const logDetails = html`<details><summary>${t('Log')}</summary><pre>${log.join('\n')}</pre></details>`;
  return html`<div>${error === null ? badge(t('OK'), 'good') : html`${badge(t('Failed'), 'bad')} ${inLanguageOf(visit, error)}`}
${log.length > 0 && logDetails}</div>`;
}
