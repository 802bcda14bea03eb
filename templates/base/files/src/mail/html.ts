const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that is HTML already. Only `html` makes it. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = string | Html | Html[];

/**
 * A template of HTML that escapes whatever is put in, in text and in quoted attributes alike:
 * a user's name in a mail cannot become markup, nor a link.
 */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.map((part, index) => part + render(values[index] ?? '')).join(''));
}

function render(value: Value): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
  return Array.isArray(value) ? value.map(render).join('') : value.text;
}
