import { type Html, type HtmlValue, html } from '../../http/html.js';
import type { Refusal } from './refusal.js';
import { pagesTexts } from './texts.js';

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
