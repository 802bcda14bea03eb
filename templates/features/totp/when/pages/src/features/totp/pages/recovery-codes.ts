import { type Html, html } from '../../../http/html.js';
import { readAsset } from '../../pages/assets.js';
import { destinationOf, pathTo } from '../../pages/paths.js';
import type { Visit } from '../../pages/visit.js';
import { texts } from './texts.js';

/** The buttons beside the codes. */
export const codesScript = readAsset('codes.browser.js', import.meta.url);

/** Shown once: the service keeps only their hashes. Where scripts run, they can be copied, saved and printed. */
export function recoveryCodeList(visit: Visit, codes: string[]): Html {
  const onward = visit.caller ? destinationOf(visit) : pathTo(visit, '/ui/login');
  return html`<p>${texts.recoveryCodes}</p>
<ol class="codes" data-copy="${texts.copy}" data-copied="${texts.copied}" data-save="${texts.save}" data-print="${texts.print}" data-file="${visit.services.config.SERVICE_NAME}-recovery-codes.txt">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ol>
<p><a class="button primary" href="${onward}">${texts.onward}</a></p>`;
}
