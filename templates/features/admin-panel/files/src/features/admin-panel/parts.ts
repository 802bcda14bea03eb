import { type Html, type HtmlValue, html } from '../../http/html.js';
import { hasPermission } from '../../users/account.js';
import { type Field, type FormOptions, form, refusalOf } from '../pages/form.js';
import type { Language, Text } from '../pages/language.js';
import type { SignedIn } from '../pages/visit.js';
import { panelPath } from './panel.js';
import { panelTexts } from './texts.js';

/** A button for what cannot be undone: a dialog asks first, without a script. After a refusal it stands open. */
export function confirmed(visit: SignedIn, warning: Text, options: FormOptions): Html {
  const { name, submit, hidden = {} } = options;
  const asked = html`<p>${warning}</p>
${partForm(visit, { look: 'danger', ...options })}`;
  if (refusalOf(visit, options)) return html`<dialog open>${asked}</dialog>`;
  const id = ['confirm', name, ...Object.values(hidden)].join('-');
  return html`<button class="button plain" type="button" popovertarget="${id}">${submit}</button>
<dialog popover id="${id}" aria-label="${submit}">${asked}
<button class="button plain" type="button" popovertarget="${id}" popovertargetaction="hide">${panelTexts.cancel}</button></dialog>`;
}

/** A form that is nothing but its button; and the fields of a proof, once that was asked for. */
export function actButton(
  visit: SignedIn,
  name: string,
  label: Text,
  hidden: Record<string, string> = {},
): Html {
  return partForm(visit, { name, hidden, submit: label, look: 'plain' });
}

/** One of several forms of a page: the panel says above what was refused, this one what is wrong with its fields. */
export function partForm(visit: SignedIn, options: FormOptions): Html {
  const { refusal } = visit;
  return form({ ...visit, refusal: refusal && { ...refusal, message: '' } }, options);
}

/** Fields to tick, one for each value: `tickedOf` reads them. */
export function checklist(kind: string, values: string[], ticked: readonly string[] = []): Field[] {
  return values.map((value) => ({
    name: `${kind} ${value}`,
    label: value,
    type: 'checkbox',
    isOptional: true,
    value: ticked.includes(value) ? 'on' : undefined,
  }));
}

/** The values of that kind that are ticked. */
export function tickedOf(kind: string, fields: Record<string, string>): string[] {
  return Object.keys(fields).flatMap((name) =>
    name.startsWith(`${kind} `) ? name.slice(kind.length + 1) : [],
  );
}

/** A value that was typed. What is no JSON stays text: the route refuses it as a value of the wrong type. */
export function parsedOrText(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A word that stands out: of a state, or one of several. */
export function badge(text: HtmlValue, look: 'plain' | 'good' | 'bad' = 'plain'): Html {
  return html`<span class="badge ${look}">${text}</span>`;
}

/** A user by what they are called, as a link for whoever may open it. */
export function userLink(visit: SignedIn, id: string, label: string): HtmlValue {
  if (!hasPermission(visit.caller, 'users:read')) return label;
  return html`<a href="${panelPath(visit, `/users/${id}`)}">${label}</a>`;
}

const formatIn = (language: Language) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Made once: that takes a hundred times as long as using it. */
const FORMATS: Record<Language, Intl.DateTimeFormat> = { en: formatIn('en'), de: formatIn('de') };

/** A time as people read it, and exactly for whoever points at it. */
export function time({ language }: SignedIn, iso: string): Html {
  const text = FORMATS[language].format(new Date(iso));
  return html`<time datetime="${iso}" title="${iso}">${text}</time>`;
}
