import { type Html, type HtmlValue, html } from '../../http/html.js';
import type { Refusal } from './refusal.js';
import { pagesTexts } from './texts.js';
import type { Visit } from './visit.js';

/** A labelled field of a form. */
export interface Field {
  /** As the route calls it. */
  name: string;
  label: HtmlValue;
  type?: 'text' | 'password' | 'tel' | 'url' | 'search' | 'checkbox' | 'datetime-local';
  /** What password managers and phones fill in (HTML standard, autofill). */
  autocomplete?: string;
  inputmode?: 'numeric' | 'email' | 'tel';
  hint?: HtmlValue;
  /** What stands in it at first; `on` for a box that is checked. */
  value?: string | undefined;
  /** True for one that may stay empty; its label should say so. */
  isOptional?: boolean;
  /** For a text of several lines: how many are shown. */
  rows?: number;
  /** What can be chosen, by value. */
  choices?: Record<string, HtmlValue>;
}

/** The address that an account has, or is to have: of type text, since browsers take `email` for ASCII only. */
export const emailField: Field = {
  name: 'email',
  label: pagesTexts.email,
  autocomplete: 'username',
  inputmode: 'email',
};

/** A code that was sent or is shown elsewhere: phones offer what a text has just brought. */
export function codeField(name: string, label: HtmlValue): Field {
  return { name, label, autocomplete: 'one-time-code', inputmode: 'numeric' };
}

/** A label, its input, and beside it what is wrong. Secrets are typed anew. */
export function field(refusal: Refusal | undefined, options: Field, id: string): Html {
  const { name, label, hint, type = 'text', autocomplete = 'off', inputmode } = options;
  const error = refusal?.errors[name];
  const isSecret = type === 'password' || autocomplete === 'one-time-code';
  // Whoever unchecks a box sends nothing of it.
  const initial = refusal && type === 'checkbox' ? undefined : options.value;
  const value = isSecret ? undefined : (refusal?.typed[name] ?? initial);
  const notes = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const attributes = [
    inputmode && html` inputmode="${inputmode}"`,
    inputmode === 'email' && html` autocapitalize="none" spellcheck="false"`,
    notes !== '' && html` aria-describedby="${notes}"`,
    error && html` aria-invalid="true" autofocus`,
    !options.isOptional && html` required`,
    type === 'password' && html` data-show="${pagesTexts.show}" data-hide="${pagesTexts.hide}"`,
  ];
  return html`<div class="field">
<label for="${id}">${label}</label>
${hint && html`<p class="aside" id="${id}-hint">${hint}</p>`}
<div class="input">${inputOf(options, value, html`id="${id}" name="${name}"${attributes}`)}</div>
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

type Look = 'primary' | 'plain' | 'danger';

export interface FormOptions {
  /** By which the page knows it, under `forms`. */
  name: string;
  /** For fields that stand elsewhere and belong to it (`form=`). */
  id?: string | undefined;
  /** With what stands between them. */
  fields?: (Field | Html)[];
  /** The text of its button. */
  submit: HtmlValue;
  /** Values that travel with it, such as the id of a row. */
  hidden?: Record<string, string>;
  look?: Look;
  /** Further buttons: each sends the same fields to the form of its name. */
  others?: readonly { name: string; submit: HtmlValue }[];
}

/** A form of a page, with what was typed and what is wrong after a refusal. */
export function form(visit: Visit, options: FormOptions): Html {
  const { name, id, fields = [], submit, hidden = {}, look, others = [] } = options;
  const refusal = refusalOf(visit, options);
  // One page may have many forms of a name: their fields must not share an id.
  const idOf = (each: Field) => [name, ...Object.values(hidden), each.name].join('-');
  const kept = Object.entries(hidden).map(
    ([key, value]) => html`<input type="hidden" name="${key}" value="${value}">`,
  );
  const shown = [...fields, ...proofsOf(refusal, fields)].map((each) =>
    'name' in each ? field(refusal, each, idOf(each)) : each,
  );
  return html`<form method="post"${id && html` id="${id}"`}>
${guardField(visit)}${kept}${alertOf(refusal)}
${shown}
${submitOf(refusal, button(name, submit, look))}
${others.map((other) => button(other.name, other.submit, 'plain'))}
</form>`;
}

/** Whoever has nothing to prove with in place can only sign in again. */
function submitOf(refusal: Refusal | undefined, submit: Html): Html {
  if (!refusal?.signInAgain) return submit;
  const isOnlyWay = refusal.proofs.length === 0;
  const look = isOnlyWay ? 'button primary' : 'button quiet';
  const again = html`<a class="${look}" href="${refusal.signInAgain}">${pagesTexts.signInAgain}</a>`;
  return isOnlyWay ? again : html`${submit}${again}`;
}

/** A form behind a button: what it does is said before it is done. It is open after a refusal. */
export function confirmedForm(visit: Visit, warning: HtmlValue, options: FormOptions): Html {
  return html`<details${refusalOf(visit, options) && html` open`}>
<summary class="button plain">${options.submit}</summary>
<p>${warning}</p>
${form(visit, { look: 'danger', ...options })}
</details>`;
}

/** What was refused, if it was this form: of several of one name, the one with the same hidden values. */
export function refusalOf(
  { refusal }: Visit,
  { name, others = [], hidden = {} }: Pick<FormOptions, 'name' | 'others' | 'hidden'>,
): Refusal | undefined {
  const { form, typed = {} } = refusal ?? {};
  const isOfName = form === name || others.some((other) => other.name === form);
  const isOther = Object.entries(hidden).some(([key, value]) => (typed[key] ?? value) !== value);
  return isOfName && !isOther ? refusal : undefined;
}

/** The hidden field without which no form is taken. */
export function guardField({ guard }: Visit): Html {
  return html`<input type="hidden" name="guard" value="${guard}">`;
}

/** A button that sends its form as the one of this name. */
export function button(name: string, label: HtmlValue, look: Look = 'primary'): Html {
  return html`<button class="button ${look}" name="form" value="${name}">${label}</button>`;
}

/** Read out by screen readers as soon as the page is there. */
export function alertOf(refusal: Refusal | undefined): Html | undefined {
  if (!refusal?.message) return undefined;
  const look = refusal.signInAgain ? 'notice' : 'notice bad';
  return html`<p class="${look}" role="alert">${refusal.message}</p>`;
}

function proofsOf(refusal: Refusal | undefined, fields: (Field | Html)[]): Field[] {
  const names = new Set(fields.map((each) => 'name' in each && each.name));
  return (refusal?.proofs ?? []).filter(({ name }) => !names.has(name));
}
