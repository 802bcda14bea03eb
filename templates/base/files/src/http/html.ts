const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that is HTML already. The class stays in this file: only `html` makes one. */
class Html {
  constructor(readonly text: string) {}
}

export type { Html };

/** What a template takes; undefined and false leave nothing. */
export type HtmlValue = string | number | Html | undefined | false | readonly HtmlValue[];

/**
 * A template of HTML that escapes whatever is put in, in text and in quoted attributes alike: a name that somebody
 * chose cannot become markup. A value right behind `href="` and the like must be a URL that runs nothing.
 * Throws for a value in an attribute without quotes, where escaping protects nothing.
 */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const text = parts.map((part, index) => {
    if (index >= values.length) return part;
    const value = values[index];
    if (/<[^>]*=$/.test(part)) throw new Error(`Quote the attribute: ${part}`);
    return part + render(URL_ATTRIBUTE.test(part) ? safeUrl(String(value)) : value);
  });
  return new Html(text.join(''));
}

const URL_ATTRIBUTE = /\s(?:href|src|action|formaction)="$/i;
const IMAGE = /^data:image\/png;base64,[A-Za-z0-9+/=]+$/;

/** A web address, a path of this host, or a picture; `javascript:` and all others lead nowhere. */
function safeUrl(url: string): string {
  const isWeb = /^https?:\/\//i.test(url) || /^[/?#](?![/\\])/.test(url);
  return isWeb || IMAGE.test(url) ? url : '#';
}

function render(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  if (value === undefined || value === false) return '';
  return String(value).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
