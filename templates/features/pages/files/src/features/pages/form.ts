import { type Html, type HtmlValue, html, type Text } from '../../http/html.js';
import type { Refusal } from './refusal.js';
import { t } from './texts.js';
import type { Visit } from './visit.js';

/** A labelled field of a form. */
export interface Field {
  /** Its name in the route's body. */
  name: string;
  label: HtmlValue;
  type?: 'text' | 'password' | 'tel' | 'url' | 'search' | 'checkbox' | 'datetime-local';
  /** What password managers and phones fill in (HTML standard, autofill). */
  autocomplete?: string;
  inputmode?: 'numeric' | 'email' | 'tel';
  hint?: HtmlValue;
  /** Further attributes of the input, with a space before each. */
  attributes?: Html;
  /** The initial value; `on` for a checked box. */
  value?: string | undefined;
  /** True if it may stay empty; its label should say so. */
  isOptional?: boolean;
  /** For a multi-line text: the number of lines shown. */
  rows?: number;
  /** The options by value. */
  choices?: Record<string, HtmlValue>;
}

/** An account's address, current or new. Its type is text, since browsers accept only ASCII in type `email`. */
export const emailField: Field = {
  name: 'email',
  label: t('Email address'),
  autocomplete: 'username',
  inputmode: 'email',
};

/** A field for a code that was sent or is shown elsewhere: phones offer the code of a text that just arrived. */
export function codeField(name: string, label: HtmlValue): Field {
  return { name, label, autocomplete: 'one-time-code', inputmode: 'numeric' };
}

/** A label, its input, and its error beside it. Secrets must be typed again. */
export function field(refusal: Refusal | undefined, options: Field, id: string): Html {
  const { name, label, hint, type = 'text', autocomplete = 'off', inputmode } = options;
  const error = refusal?.errors[name];
  const isSecret = type === 'password' || autocomplete === 'one-time-code';
  // Browsers send nothing for an unchecked box.
  const initial = refusal && type === 'checkbox' ? undefined : options.value;
  const value = isSecret ? undefined : (refusal?.typed[name] ?? initial);
  const notes = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const attributes = [
    inputmode && html` inputmode="${inputmode}"`,
    inputmode === 'email' && html` autocapitalize="none" spellcheck="false"`,
    notes !== '' && html` aria-describedby="${notes}"`,
    error && html` aria-invalid="true" autofocus`,
    !options.isOptional && html` required`,
    options.attributes,
  ];
  return html`<div class="field">
<label for="${id}">${label}</label>
${hint && html`<p class="aside" id="${id}-hint">${hint}</p>`}
<div class="input">${inputOf(options, value, html`id="${id}" name="${name}"${attributes}`)}${type === 'password' && scriptButton('show', id, t('Show'), t('Hide'))}</div>
${error && html`<p class="error" id="${id}-error">${error}</p>`}
</div>`;
}

function inputOf(
  { type = 'text', autocomplete = 'off', rows, choices }: Field,
  value: string | undefined,
  attributes: Html,
): Html {
  if (rows) {
    return html`<textarea rows="${rows}" spellcheck="false" ${attributes}>\n${value}</textarea>`;
  }
  if (choices) {
    const options = Object.entries(choices).map(
      ([key, label]) =>
        html`<option value="${key}"${key === value && html` selected`}>${label}</option>`,
    );
    return html`<select ${attributes}>${options}</select>`;
  }
  if (type === 'checkbox') {
    return html`<input type="checkbox" ${attributes}${value === 'on' && html` checked`}>`;
  }
  const typed = value !== undefined && html` value="${value}"`;
  return html`<input type="${type}" autocomplete="${autocomplete}" ${attributes}${typed}>`;
}

/** A button for a script, which does `act` to the element with that id; without scripts it is hidden. */
export function scriptButton(
  act: 'show' | 'copy' | 'save' | 'print' | 'tick',
  id: string,
  label: Text,
  afterwards?: Text,
): Html {
  return html`<button class="button" type="button" hidden data-act="${act}" aria-controls="${id}"${afterwards && html` data-afterwards="${afterwards}"`}>${label}</button>`;
}

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
export function form(visit: Pick<Visit, 'guard' | 'refusal'>, options: FormOptions): Html {
  const { name, action, id, fields = [], submit, look = 'primary', others = [] } = options;
  const { hidden = {} } = options;
  const refusal = refusalOf(visit, options);
  // A page may have many forms with the same name: their fields must not share an id.
  const idOf = (each: Field) => [name, ...Object.values(hidden), each.name].join('-');
  const names = new Set(fields.map((each) => 'name' in each && each.name));
  const proofs = (refusal?.proofs ?? []).filter((each) => !names.has(each.name));
  // After a wrong value of its own fields, such as a code, a form works without signing in again.
  const again = proofs.length > 0 || !refusal?.isMistake ? refusal?.signInAgain : undefined;
  // A user with no proof to enter on this page can only sign in again.
  const isOnlyWay = again !== undefined && proofs.length === 0;
  const buttons = [{ name, submit, look }, ...others.map((other) => ({ ...other, look: 'plain' }))];
  return html`<form method="post"${action && html` action="${action}"`}${id && html` id="${id}"`}>
${Object.entries({ guard: visit.guard, ...hidden }).map(
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
  const isOther = Object.entries(hidden).some(([key, value]) => (typed[key] ?? value) !== value);
  return isOfName && !isOther ? refusal : undefined;
}
