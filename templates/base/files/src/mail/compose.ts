import { type Content, layoutHtml, layoutText } from './layout.js';
import type { Mail } from './mailer.js';

/** A mail out of its content, as text and as HTML. Paragraphs are plain text. */
export function composeMail({ to, ...content }: Content & { to: string }): Mail {
  return {
    to,
    subject: content.subject,
    text: layoutText(content),
    html: layoutHtml(content).text,
  };
}
