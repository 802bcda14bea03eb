import { type Html, html } from './html.js';

/** What a mail says. */
export interface Content {
  subject: string;
  paragraphs: string[];
  /** The one thing to do. */
  action?: { label: string; url: string };
}

/** The plain text of every mail. This file is yours: the look of your mails is decided here. */
export function layoutText({ paragraphs, action }: Content): string {
  const link = action ? [`${action.label}:\n${action.url}`] : [];
  return `${[...paragraphs, ...link].join('\n\n')}\n`;
}

/** The HTML of every mail. Styles are inline, since mail programs drop style sheets. */
export function layoutHtml({ subject, paragraphs, action }: Content): Html {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${subject}</title>
  </head>
  <body style="margin: 0; padding: 32px 16px; background: #f4f4f5; font: 16px/1.5 sans-serif; color: #18181b">
    <div style="max-width: 520px; margin: 0 auto; padding: 32px; background: #ffffff; border-radius: 8px">
${paragraphs.map((paragraph) => html`      <p style="margin: 0 0 16px">${paragraph}</p>\n`)}${button(action)}    </div>
  </body>
</html>
`;
}

/** The link is shown as text, too: who reads it sees where it leads. */
function button(action: Content['action']): Html {
  if (!action) return html``;
  return html`      <p style="margin: 24px 0">
        <a href="${action.url}" style="padding: 12px 20px; background: #18181b; border-radius: 6px; color: #ffffff; text-decoration: none">${action.label}</a>
      </p>
      <p style="margin: 0; font-size: 13px; color: #71717a; word-break: break-all">${action.url}</p>
`;
}
