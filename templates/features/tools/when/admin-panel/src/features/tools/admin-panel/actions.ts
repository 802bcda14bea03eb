import { type Html, type HtmlValue, html } from '../../../http/html.js';
import { hasPermission } from '../../../users/account.js';
import { table } from '../../admin-panel/list.js';
import { type PanelPage, read } from '../../admin-panel/panel.js';
import { badge, outcome, partForm, tickedOf } from '../../admin-panel/parts.js';
import { readAsset } from '../../pages/assets.js';
import { refusalOf } from '../../pages/form.js';
import type { SignedIn } from '../../pages/visit.js';
import { mayAllow } from '../action.js';
import { actions } from '../actions.js';
import type { ActionView } from '../admin/feature.js';
import { texts } from './texts.js';

export const toolsStyle = readAsset('tools.css', import.meta.url);

/** The kind of the boxes, for `tickedOf`. */
export const ACTION = 'action';

interface BoxOptions {
  form: string;
  /** The id of an action, and what it is called. */
  id: string;
  label: string;
  isChecked: boolean;
}

/** A box to allow an action with; after a refusal as it was sent. */
export function actionBox(visit: SignedIn, { form, id, label, isChecked }: BoxOptions): Html {
  const typed = refusalOf(visit, { name: form })?.typed;
  const name = `${ACTION} ${id}`;
  const checked = typed ? name in typed : isChecked;
  return html`<input type="checkbox" name="${name}" aria-label="${label}"${checked && html` checked`}>`;
}

/** What an action does, and what it takes. */
export function aboutAction(visit: SignedIn, action: ActionView): Html {
  const t = texts[visit.language];
  return html`<span><b>${action.label}</b> <code>${action.id}</code>
${action.changes && badge(t.changes)}
<span class="aside">${action.description}</span></span>`;
}

/** Which actions scripts can be allowed at all: the setting `enabledWebhookActions`. */
export const actionsPage: PanelPage = {
  path: '/actions',
  permission: 'settings:read',
  isEntry: true,
  assets: [toolsStyle],
  title: ({ language }) => texts[language].actions,
  content: async (visit) => {
    const t = texts[visit.language];
    const { actions } = await read<{ actions: ActionView[] }>(visit, 'GET /actions');
    const listed = actionTable(visit, actions);
    const mayWrite = hasPermission(visit.caller, 'settings:write');
    return html`${outcome(visit)}
<p>${t.actionsText}</p>
${mayWrite ? partForm(visit, { name: 'save', fields: [listed], submit: t.save }) : listed}`;
  },
  forms: {
    save: {
      submits: 'PUT /settings',
      body: (fields) => ({ enabledWebhookActions: tickedOf(ACTION, fields) }),
    },
  },
};

function actionTable(visit: SignedIn, all: ActionView[]): Html {
  const t = texts[visit.language];
  const isOn = (id: string) => all.some((action) => action.id === id && action.enabled);
  const mayWrite = hasPermission(visit.caller, 'settings:write');
  function state({ id, label, enabled }: ActionView): HtmlValue {
    // What is on may be turned off by everybody who may change settings.
    const mayTurn = enabled || mayAllow(visit.caller, [id], actions);
    if (!mayWrite || !mayTurn) return enabled ? t.on : t.off;
    return actionBox(visit, { form: 'save', id, label, isChecked: enabled });
  }
  return table(visit, all, [
    { title: t.on, cell: state },
    { title: t.act, cell: (action) => aboutAction(visit, action) },
    {
      title: t.dependsOn,
      cell: ({ dependsOn, enabled }) =>
        html`<span>${dependsOn.map((id) => html`<code>${id}</code>${enabled && !isOn(id) && html` ${badge(t.isOff, 'bad')}`} `)}</span>`,
    },
    {
      title: t.needs,
      cell: ({ permission }) => permission !== null && html`<code>${permission}</code>`,
    },
  ]);
}
