import { type Html, type HtmlValue, html } from '../../../http/html.js';
import { table } from '../../admin-panel/list.js';
import { may, type PanelPage, read } from '../../admin-panel/panel.js';
import { badge, checkbox, merged, tickedOf } from '../../admin-panel/parts.js';
import { form } from '../../pages/form.js';
import { readAsset } from '../../pages/layout.js';
import type { SignedIn } from '../../pages/visit.js';
import { currentSetting } from '../../settings/feature.js';
import type { Action } from '../action.js';
import { actions } from '../actions.js';
import type { ActionView } from '../admin/feature.js';
import { mayAllow } from '../run-webhook.js';
import { t } from './texts.js';

export const toolsStyle = readAsset('tools.css', import.meta.url);

/** The kind of the boxes, for `tickedOf`. */
export const ACTION = 'action';

/** The action itself, with its texts in every language: the API gives only the English ones. */
function registered(id: string): Action | undefined {
  return actions.find((action) => action.id === id);
}

/** A checkbox that allows an action. */
export function actionBox(visit: SignedIn, form: string, id: string, isChecked: boolean): Html {
  const label = registered(id)?.label ?? id;
  return checkbox(visit, form, { name: `${ACTION} ${id}`, label, isChecked });
}

/** What an action does, and its input. */
export function aboutAction({ id, changes }: ActionView): Html {
  return html`<span><b>${registered(id)?.label}</b> <code>${id}</code>
${changes && badge(t('changes data'))}
<span class="aside">${registered(id)?.description}</span></span>`;
}

/** Which actions scripts may be allowed at all: the setting `enabledWebhookActions`. */
export const actionsPage: PanelPage = {
  permission: 'settings:read',
  isEntry: true,
  assets: [toolsStyle],
  title: () => t('Actions'),
  content: async (visit) => {
    const { actions } = await read<{ actions: ActionView[] }>(visit, 'GET /actions');
    const mayWrite = may(visit, 'settings:write');
    const listed = actionTable(visit, actions, mayWrite);
    const on = actions.flatMap(({ id, enabled }) => (enabled ? id : []));
    const before = visit.refusal?.typed.before ?? on.join(' ');
    return html`<p>${t('What scripts of inbound webhooks may do. Turn an action on here, then allow it for each webhook that needs it.')}</p>
${mayWrite ? form(visit, { name: 'save', fields: [listed], submit: t('Save'), hidden: { before } }) : listed}`;
  },
  forms: {
    save: {
      submits: 'PUT /settings',
      input: async (fields, { services }) => {
        const current = await currentSetting(services, 'enabledWebhookActions');
        return { enabledWebhookActions: merged(current, tickedOf(ACTION, fields), fields.before) };
      },
    },
  },
};

function actionTable(visit: SignedIn, all: ActionView[], mayWrite: boolean): Html {
  const isOn = (id: string) => all.some((action) => action.id === id && action.enabled);
  function state({ id, enabled }: ActionView): HtmlValue {
    // Everybody who may change settings may turn off what is on.
    const mayToggle = enabled || mayAllow(visit.caller, [id]);
    if (!mayWrite || !mayToggle) return enabled ? t('On') : t('Off');
    return actionBox(visit, 'save', id, enabled);
  }
  const needed = ({ dependsOn, enabled }: ActionView) =>
    html`<span>${dependsOn.map((id) => html`<code>${id}</code>${enabled && !isOn(id) && html` ${badge(t('off'), 'bad')}`} `)}</span>`;
  return table(all, [
    [t('On'), state],
    [t('Action'), (action) => aboutAction(action)],
    [t('Depends on'), needed],
    [t('Permission'), ({ permission }) => permission !== null && html`<code>${permission}</code>`],
  ]);
}
