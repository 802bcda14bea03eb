import { type Html, type HtmlValue, html } from '../../http/html.js';
import { type Field, field } from './field.js';
import type { Refusal } from './refusal.js';
import { pagesTexts } from './texts.js';
import type { Visit } from './visit.js';

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
