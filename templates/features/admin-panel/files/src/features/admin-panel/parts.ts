import { isTooDeep } from '../../http/body.js';
import { refuse } from '../../http/errors.js';
import { type Html, type HtmlValue, html, type Text } from '../../http/html.js';
import { type FormOptions, form, refusalOf } from '../pages/form.js';
import { pathWith, type SignedIn } from '../pages/visit.js';
import { may, panelPath } from './panel.js';
import { t } from './texts.js';

/** What an act has done to a user. */
export const acted = {
  disable: t('The user was disabled.'),
  enable: t('The user was enabled.'),
  delete: t('The user was deleted.'),
};

/** `about` says what it is done to: an address, a URL, a name. */
type ConfirmedOptions = FormOptions & { about?: HtmlValue };

/** For what cannot be undone: a dialog asks first, a popover in browsers without `command`. Open after a refusal. */
export function confirmed(visit: SignedIn, warning: Text, options: ConfirmedOptions): Html {
  const { name, submit, hidden = {}, about } = options;
  const content = html`${about && html`<p><strong>${about}</strong></p>`}<p>${warning}</p>
${form(visit, { look: 'danger', ...options })}`;
  if (refusalOf(visit, options)) {
    const back = pathWith(visit.request.path, Object.fromEntries(visit.query));
    return html`<dialog open aria-label="${submit}">${content}
<a class="button" href="${back}">${t('Cancel')}</a></dialog>`;
  }
  const id = ['confirm', name, ...Object.values(hidden)].join('-');
  return html`<button class="button" type="button" commandfor="${id}" command="show-modal" popovertarget="${id}">${submit}</button>
<dialog popover closedby="any" id="${id}" aria-label="${submit}">${content}
<button class="button" type="button" autofocus commandfor="${id}" command="close" popovertarget="${id}" popovertargetaction="hide">${t('Cancel')}</button></dialog>`;
}

/** A form with only a button, and the fields for reauthentication once the route requires it. */
export function actButton(visit: SignedIn, name: string, submit: Text, hidden = {}): Html {
  return form(visit, { name, submit, hidden, look: 'plain' });
}

interface Checkbox {
  name: string;
  label: HtmlValue;
  isChecked: boolean;
}

/** A checkbox of the form with that name; after a refusal, as it was sent. */
export function checkbox(
  visit: SignedIn,
  form: string,
  { name, label, isChecked }: Checkbox,
): Html {
  const typed = refusalOf(visit, { name: form })?.typed;
  const checked = typed ? name in typed : isChecked;
  return html`<input type="checkbox" name="${name}" aria-label="${label}"${checked && html` checked`}>`;
}

/** The ticked values of a kind, whose checkboxes are named `<kind> <value>`. */
export function tickedOf(kind: string, fields: Record<string, string>): string[] {
  return Object.keys(fields).flatMap((name) =>
    name.startsWith(`${kind} `) ? name.slice(kind.length + 1) : [],
  );
}

/** What a form makes of a list that it showed as `before`: what others have added or removed since stays so. */
export function merged(current: string[], wanted: string[], before = current.join(' ')): string[] {
  const shown = before.split(' ');
  const kept = current.filter((each) => wanted.includes(each) || !shown.includes(each));
  return [...new Set([...kept, ...wanted.filter((each) => !shown.includes(each))])];
}

/** Parses typed JSON. Throws VALIDATION_FAILED or, with `mayBeText`, keeps other text, whose type the route refuses. */
export function parsedJson(text = '', mayBeText = false): unknown {
  try {
    const json = JSON.parse(text);
    if (!isTooDeep(json)) return json;
  } catch {
    if (mayBeText) return text;
  }
  throw refuse('VALIDATION_FAILED', { message: 'This is not JSON.' });
}

/** A highlighted word: a state, or an item of a list. */
export function badge(text: HtmlValue, look: 'plain' | 'good' | 'bad' = 'plain'): Html {
  return html`<span class="badge ${look}">${text}</span>`;
}

/** The label of a user; a link if the caller may open it. */
export function userLink(visit: SignedIn, id: string, label: string): HtmlValue {
  if (!may(visit, 'users:read')) return label;
  return html`<a href="${panelPath(visit, `/users/${id}`)}">${label}</a>`;
}

const FORMAT = { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' } as const;
/** A time as people read it, with the exact time as its tooltip. */
export function time({ language }: SignedIn, iso: string): Html {
  const text = `${new Date(iso).toLocaleString(language, FORMAT)} UTC`;
  return html`<time datetime="${iso}" title="${iso}">${text}</time>`;
}
