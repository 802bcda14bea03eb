import { type Html, html, type Text, textIn } from '../http/html.js';

/** What a mail says, in every language, as plain text. */
export interface Letter {
  subject: Text;
  paragraphs: Text[];
  action?: { label: Text; url: string };
}

/** The parts that all mails share. */
export interface Frame {
  serviceName: string;
  /** The language of the text (BCP 47). */
  language: string;
}

/** The plain text of every mail. This file is yours: the look of your mails is decided here. */
export function layoutText({ paragraphs, action }: Letter, frame: Frame): string {
  const inLanguage = (text: Text) => textIn(text, frame.language);
  const link = action ? [`${inLanguage(action.label)}:\n${action.url}`] : [];
  return `${[...paragraphs.map(inLanguage), ...link, frame.serviceName].join('\n\n')}\n`;
}

/** Dark colors for mail programs that support style sheets; others keep the inline ones. */
const DARK = `
      :root { color-scheme: light dark; supported-color-schemes: light dark; }
      @media (prefers-color-scheme: dark) {
        .page { background: #18181b !important; color: #e4e4e7 !important; }
        .card { background: #27272a !important; }
        .button { background: #fafafa !important; color: #18181b !important; }
        .small { color: #a1a1aa !important; }
      }`;

/** The HTML of every mail. Styles are inline, since many mail programs drop style sheets. */
export function layoutHtml(letter: Letter, { serviceName, language }: Frame): Html {
  return html`<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark">
    <title>${letter.subject}</title>
    <style>${DARK}
    </style>
  </head>
  <body class="page" style="margin: 0; padding: 32px 16px; background: #f4f4f5; font: 16px/1.5 sans-serif; color: #18181b">
    <div class="card" style="max-width: 520px; margin: 0 auto; padding: 32px; background: #ffffff; border-radius: 8px">
      <p style="margin: 0 0 24px; font-weight: bold">${serviceName}</p>
${letter.paragraphs.map((paragraph) => html`      <p style="margin: 0 0 16px; white-space: pre-line">${paragraph}</p>\n`)}${button(letter.action)}    </div>
  </body>
</html>
`;
}

/** The link is shown as text, too, so that the reader sees where it leads. */
function button(action: Letter['action']): Html {
  if (!action) return html``;
  return html`      <p style="margin: 24px 0">
        <a class="button" href="${action.url}" style="padding: 12px 20px; background: #18181b; border-radius: 6px; color: #ffffff; text-decoration: none">${action.label}</a>
      </p>
      <p class="small" style="margin: 0; font-size: 13px; color: #71717a; word-break: break-all">${action.url}</p>
`;
}
