import { html } from '../../../http/html.js';
import type { AccountPage } from '../../pages/account.js';
import { form } from '../../pages/form.js';
import { inLanguage } from '../../pages/page.js';
import { pathTo } from '../../pages/paths.js';
import type { SignedIn } from '../../pages/visit.js';
import { texts } from './texts.js';

const isProven = ({ caller }: SignedIn) => caller.user.emailProvenAt !== null;

/** Mails the link once more, while there is something to prove. */
export const verifyPage: AccountPage = {
  path: '/ui/account/verify-email',
  section: 'about',
  order: 2,
  title: ({ language }) => texts[language].verify,
  state: (visit) => (isProven(visit) ? undefined : texts[visit.language].toDo),
  elsewhere: (visit) => (isProven(visit) ? pathTo(visit, '/ui/account') : undefined),
  done: ({ language }) => ({ send: texts[language].sent }),
  content: (visit) => {
    const t = texts[visit.language];
    return html`<p>${t.verifyText} <strong>${visit.caller.user.email}</strong></p>
${form(visit, { name: 'send', submit: t.send })}`;
  },
  forms: { send: { submits: 'POST /send-verification-email', input: inLanguage } },
};
