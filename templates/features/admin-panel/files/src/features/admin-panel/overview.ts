import { type Html, type HtmlValue, html, type Text } from '../../http/html.js';
import type { Overview } from '../admin/overview.js';
import type { AccountPage } from '../pages/page.js';
import type { SignedIn } from '../pages/visit.js';
import { may, type PanelPage, panelPath, read } from './panel.js';
import { t } from './texts.js';

export interface Figure {
  label: Text;
  value: number;
  details?: HtmlValue;
}

declare module '../../feature.js' {
  interface FeatureParts {
    /** The feature's figures on the overview; none for a user who may not see them. */
    panelFigures?: (visit: SignedIn) => Promise<Figure[]>;
  }
}

export const overviewPage: PanelPage = {
  permission: 'admin:access',
  isEntry: true,
  title: () => t('Overview'),
  content: async (visit) => {
    const { hours, newUsers, sessions } = await read<Overview>(visit, 'GET /overview');
    const more = visit.services.features.map(({ panelFigures }) => panelFigures?.(visit) ?? []);
    const figures: Figure[] = [
      { label: t('New users, last 24 hours'), value: newUsers },
      { label: t('Open sessions'), value: sessions },
      ...(await Promise.all(more)).flat(),
    ];
    return html`<dl class="figures">
${figures.map(({ label, value, details }) => html`<div><dt>${label}</dt><dd>${value}${details}</dd></div>`)}
</dl>
<h2>${t('Sign-ins of the last 24 hours')}</h2>
${chart(hours)}`;
  },
};

/** The row of the account that leads to the panel. */
export const administrationPage: AccountPage = {
  section: 'access',
  order: 9,
  title: () => t('Administration'),
  state: (visit) => (may(visit, 'admin:access') ? visit.caller.roles.primary : undefined),
  elsewhere: (visit) => panelPath(visit, ''),
  content: () => html``,
};

const WIDTH = 720;
const HEIGHT = 160;

/** Sign-ins of the last day, with failed ones on top in another color. */
function chart(hours: Overview['hours']): Html {
  const most = Math.max(1, ...hours.map(({ succeeded, failed }) => succeeded + failed));
  const step = WIDTH / hours.length;
  const bars = hours.map(({ from, succeeded, failed }, at) => {
    const good = (succeeded / most) * HEIGHT;
    const bad = (failed / most) * HEIGHT;
    const place = (top: number, height: number, kind: string) =>
      html`<rect class="${kind}" x="${at * step + 2}" y="${top}" width="${step - 4}" height="${height}"/>`;
    return html`<g><title>${from.slice(11, 16)} UTC: ${succeeded} ${t('succeeded')}, ${failed} ${t('failed')}</title>
${place(HEIGHT - good, good, 'good')}${place(HEIGHT - good - bad, bad, 'bad')}</g>`;
  });
  const total = (key: 'succeeded' | 'failed') => hours.reduce((sum, hour) => sum + hour[key], 0);
  const everySixth = hours.filter((_, at) => at % 6 === 0);
  return html`<p class="key aside"><span class="good">${total('succeeded')} ${t('succeeded')}</span>, <span class="bad">${total('failed')} ${t('failed')}</span> (UTC)</p>
<div class="chart"><span class="aside" aria-hidden="true">${most}</span>
<svg role="img" aria-label="${t('Sign-ins of the last 24 hours')}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${bars}</svg>
<p class="aside">${everySixth.map(({ from }) => html`<span>${from.slice(11, 16)}</span>`)}</p>
</div>`;
}
