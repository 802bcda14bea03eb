import type { Config } from '../../config.js';
import { type Html, html } from '../../http/html.js';
import type { Mail } from '../../mail/mailer.js';
import { isLoopback } from '../../process/addresses.js';
import type { Page } from './page.js';
import { pagesTexts } from './texts.js';

/** Its links open accounts: only in development, and only on one's own machine. */
export function isOutboxShown({ NODE_ENV, BASE_URL, SMTP_URL }: Config): boolean {
  const isOwnMachine = isLoopback(new URL(BASE_URL).hostname);
  return NODE_ENV === 'development' && isOwnMachine && SMTP_URL === undefined;
}

/** The mails that would have been sent, to be read without a mail program. */
export const outboxPage: Page = {
  path: '/ui/outbox',
  isWide: true,
  isMounted: isOutboxShown,
  title: () => pagesTexts.outbox,
  content: ({ services }) => {
    const mails = services.mailer.sent ?? [];
    return html`<p>${mails.length > 0 ? pagesTexts.outboxText : pagesTexts.outboxEmpty}</p>
${mails.map(article)}`;
  },
};

function article({ to, subject, text }: Mail): Html {
  return html`<article><h2>${subject}</h2>
<p class="aside">${to}</p>
<p class="mail">${text.split(/(https?:\/\/\S+)/).map((part, at) => (at % 2 === 1 ? html`<a href="${part}">${part}</a>` : part))}</p></article>
`;
}
