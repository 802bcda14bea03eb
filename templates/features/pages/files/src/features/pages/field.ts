import { type Html, type HtmlValue, html, type Text } from '../../http/html.js';
import { t } from './language.js';
import type { Refusal } from './refusal.js';

/** A labelled field of a form. */
export interface Field {
  /** Its name in the route's body. */
  name: string;
  label: HtmlValue;
  type?: 'text' | 'password' | 'tel' | 'url' | 'search' | 'datetime-local';
  /** What password managers and phones fill in (HTML standard, autofill). */
  autocomplete?: string;
  inputmode?: 'numeric' | 'email' | 'tel';
  hint?: HtmlValue;
  /** Further attributes of the input, with a space before each. */
  attributes?: Html;
  /** The initial value. */
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
  const lost = lostSecret(refusal, options);
  const error = refusal?.errors[name] ?? lost;
  const isSecret = type === 'password' || autocomplete === 'one-time-code';
  const value = isSecret ? undefined : (refusal?.typed[name] ?? options.value);
  const notes = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const attributes = [
    inputmode && html` inputmode="${inputmode}"`,
    inputmode === 'email' && html` autocapitalize="none" spellcheck="false"`,
    notes !== '' && html` aria-describedby="${notes}"`,
    error && html` aria-invalid="true" autofocus`,
    (!options.isOptional || lost) && html` required`,
    options.attributes,
  ];
  return html`<div class="field">
<label for="${id}" id="${id}-label">${label}</label>
${hint && html`<p class="aside" id="${id}-hint">${hint}</p>`}
<div class="input">${inputOf(options, value, html`id="${id}" name="${name}"${attributes}`)}${type === 'password' && scriptButton('show', id, t('Show'), t('Hide'))}</div>
${error && html`<p class="error" id="${id}-error">${error}</p>`}
</div>`;
}

/** The error of an optional new secret that was typed: otherwise sending the form again would silently omit it. */
function lostSecret(refusal: Refusal | undefined, { name, isOptional, autocomplete }: Field) {
  const isLost = isOptional && autocomplete === 'new-password' && refusal?.typed[name] === '';
  return isLost ? t('Type it again: secrets are not kept.') : undefined;
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
  return html`<button class="button" type="button" hidden data-act="${act}" aria-controls="${id}"${act === 'show' && html` aria-describedby="${id}-label"`}${afterwards && html` data-afterwards="${afterwards}"`}>${label}</button>`;
}
