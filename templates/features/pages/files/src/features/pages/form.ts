import { type Html, type HtmlValue, html, type Text } from '../../http/html.js';
import { type Field, field } from './field.js';
import { t } from './language.js';
import type { Refusal } from './refusal.js';
import type { Visit } from './visit.js';

/** A link to where the visitor continues, as a button. */
export function linkButton(path: string, label: Text): Html {
  return html`<p><a class="button primary" href="${path}">${label}</a></p>`;
}

export interface FormOptions {
  /** Its key in the `forms` of the page. */
  name: string;
  /** The path of the page, if it is another one. */
  action?: string;
  /** For fields elsewhere on the page that belong to it (`form=`). */
  id?: string;
  /** The fields, and any HTML between them. */
  fields?: (Field | Html)[];
  submit: HtmlValue;
  /** Values sent with it, such as the id of a row. */
  hidden?: Record<string, string>;
  look?: 'primary' | 'plain' | 'danger';
  /** Further buttons: each submits the same fields to the form of that name. */
  others?: readonly { name: string; submit: HtmlValue }[];
}

/** A form of a page; after a refusal, with what was typed and its errors. */
export function form(
  visit: Pick<Visit, 'guard' | 'refusal'> & { about?: string },
  options: FormOptions,
): Html {
  const { name, action, id, fields = [], submit, look = 'primary', others = [] } = options;
  const { hidden = {} } = options;
  const refusal = refusalOf(visit, options);
  // A page may have many forms with the same name: their fields must not share an id.
  const idOf = (each: Field) => [name, ...Object.values(hidden), each.name].join('-');
  const names = new Set(fields.map((each) => 'name' in each && each.name));
  const hasErrors = Object.keys(refusal?.errors ?? {}).length > 0;
  const proofs = (refusal?.proofs ?? [])
    .filter((each) => !names.has(each.name))
    // The first gets the focus, which brings it into view, unless a field with an error has it.
    .map((each, at) => (at > 0 || hasErrors ? each : { ...each, attributes: html` autofocus` }));
  // A form refused for a wrong value of its own fields, such as a code, needs no new sign-in.
  const again = proofs.length > 0 || !refusal?.isMistake ? refusal?.signInAgain : undefined;
  // A user with no proof to enter on this page can only sign in again.
  const isOnlyWay = again !== undefined && proofs.length === 0;
  const buttons = [{ name, submit, look }, ...others.map((other) => ({ ...other, look: 'plain' }))];
  return html`<form method="post"${action && html` action="${action}"`}${id && html` id="${id}"`}>
${Object.entries({ guard: visit.guard, ...(visit.about && { about: visit.about }), ...hidden }).map(
  ([key, value]) => html`<input type="hidden" name="${key}" value="${value}">`,
)}
${[...fields, ...proofs].map((each) => ('name' in each ? field(refusal, each, idOf(each)) : each))}
${!isOnlyWay && buttons.map((each) => html`<button class="button ${each.look}" name="form" value="${each.name}">${each.submit}</button>`)}
${again && html`<a class="button${isOnlyWay && ' primary'}" href="${again}">${t('Sign in again to confirm')}</a>`}
</form>`;
}

/** A form behind a button: the warning is shown before the form can be sent. It is open after a refusal. */
export function confirmedForm(visit: Visit, warning: HtmlValue, options: FormOptions): Html {
  return html`<details${refusalOf(visit, options) && html` open`}>
<summary class="button">${options.submit}</summary>
<p>${warning}</p>
${form(visit, { look: 'danger', ...options })}
</details>`;
}

/** The refusal, if this form was refused; among forms with one name, hidden values tell which. */
export function refusalOf(
  { refusal }: Pick<Visit, 'refusal'>,
  { name, others = [], hidden = {} }: Pick<FormOptions, 'name' | 'others' | 'hidden'>,
): Refusal | undefined {
  const { form, typed = {} } = refusal ?? {};
  const isOfName = form === name || others.some((other) => other.name === form);
  const isOther = Object.entries(hidden).some(([key, value]) => (typed[key] || value) !== value);
  return isOfName && !isOther ? refusal : undefined;
}
