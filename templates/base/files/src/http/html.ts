const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML whose texts are in the language passed to `text`. Only `html` creates it: the class stays in this file. */
class Html {
  constructor(readonly text: (language?: string) => string) {}
}

export type { Html };

/** A text by language, in English at least. */
export type Text = { readonly en: string; readonly [language: string]: string };

/** The text in a language; in English if there is no translation. */
export function textIn(text: Text, language: string): string {
  return text[language] ?? text.en;
}

/** Values that a template accepts; undefined and false render nothing. */
export type HtmlValue = string | number | Html | Text | undefined | false | HtmlValue[];

/**
 * An HTML template that escapes every value, both in text and in quoted attributes: a name that
 * somebody chose cannot become markup. A value right after `href="` and the like must be a URL that
 * runs nothing. Throws for a value in an unquoted attribute, where escaping protects nothing.
 */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const bare = parts.slice(0, -1).find((part) => /<[^>]*=$/.test(part));
  if (bare) throw new Error(`Quote the attribute: ${bare}`);
  const rendered = (language: string) => (part: string, index: number) => {
    if (index >= values.length) return part;
    const value = values[index];
    return part + render(URL_ATTRIBUTE.test(part) ? safeUrl(String(value)) : value, language);
  };
  return new Html((language = 'en') => parts.map(rendered(language)).join(''));
}

const URL_ATTRIBUTE = /\s(?:href|src|action|formaction)="$/i;
const IMAGE = /^data:image\/png;base64,[A-Za-z0-9+/=]+$/;

/** Lets through http(s) URLs, paths of this host and PNG data URLs; `javascript:` and all others become `#`. */
function safeUrl(url: string): string {
  const isWeb = /^https?:\/\//i.test(url) || /^[/?#](?![\t\n\r]*[/\\])/.test(url);
  return isWeb || IMAGE.test(url) ? url : '#';
}

function render(value: HtmlValue, language: string): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text(language);
  if (Array.isArray(value)) return value.map((each) => render(each, language)).join('');
  const text = typeof value === 'object' ? textIn(value, language) : String(value);
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
