import { defineFeature } from '../../../feature.js';
import { type Html, html } from '../../../http/html.js';
import { confirmedForm, emailField, form } from '../../pages/form.js';
import { ago } from '../../pages/language.js';
import { goOnSignedIn } from '../../pages/login.js';
import type { AccountPage, Form, Page } from '../../pages/page.js';
import { pagesTexts } from '../../pages/texts.js';
import { pathTo, type SignedIn } from '../../pages/visit.js';
import type { LinkedAccount } from '../linked-accounts.js';
import { errorTexts, texts } from './texts.js';

declare module '../../../feature.js' {
  interface FeatureParts {
    /** Ways to link another account, shown below the linked ones. */
    linkWays?: (visit: SignedIn) => Html | undefined;
    /** What people call a provider. */
    providerTitle?: (provider: string) => string | undefined;
  }
}

function titleOf({ services, language }: SignedIn, provider: string): string {
  const [title] = services.features.flatMap((each) => each.providerTitle?.(provider) ?? []);
  return title ?? (provider === 'email' ? texts.mailbox[language] : provider);
}

/** Mails a link; a click on it links. */
const linkRequest: Form = { submits: 'POST /link-request', done: texts.sent };

/** Accounts at providers that sign in to this one. */
const linkedAccountsPage: AccountPage = {
  path: '/ui/account/linked-accounts',
  section: 'access',
  order: 4,
  title: () => texts.linked,
  state: async (visit) => {
    const { services, caller } = visit;
    const accounts = await services.accountLinking.listOfUser(caller.user.id);
    const titles = new Set(accounts.map(({ provider }) => titleOf(visit, provider)));
    return [...titles].join(', ') || texts.none;
  },
  content: async (visit) => {
    const { services, caller } = visit;
    const accounts = await services.accountLinking.listOfUser(caller.user.id);
    const ways = services.features.flatMap(({ linkWays }) => linkWays?.(visit) ?? []);
    return html`<p>${accounts.length > 0 ? texts.linkedText : texts.noneText}</p>
${accounts.length > 0 && html`<ul class="rows">${accounts.map((each) => row(visit, each))}</ul>`}
${ways}
${ways.length > 0 && addressForm(visit)}`;
  },
  forms: {
    unlink: { submits: 'DELETE /linked-accounts/{provider}/{id}', done: texts.unlinked },
    add: linkRequest,
  },
};

/** A provider's account with another address can be linked once that address was added by a mailed link. */
function addressForm(visit: SignedIn): Html {
  const fields = [{ ...emailField, label: texts.otherAddress, autocomplete: 'email' }];
  return html`<section><p>${texts.addText}</p>
${form(visit, { name: 'add', fields, submit: pagesTexts.mailLink, look: 'plain' })}</section>`;
}

function row(visit: SignedIn, { provider, id, email, name, linkedAt }: LinkedAccount): Html {
  const title = titleOf(visit, provider);
  const who = [name, email].filter(Boolean).join(', ');
  const hidden = { provider, id };
  return html`<li><div><strong>${title}</strong>
<p class="aside">${who} · ${texts.since} ${ago(visit.language, linkedAt)}</p></div>
${confirmedForm(visit, texts.unlinkText, { name: 'unlink', hidden, submit: texts.unlink })}</li>`;
}

/** Where a sign-in at a provider leads if its address already has an account: its owner decides, by a mailed link. */
const conflictPage: Page = {
  path: '/ui/account-conflict',
  title: () => texts.conflict,
  content: (visit) => {
    const email = visit.query.get('email') ?? '';
    const provider = visit.query.get('provider') ?? '';
    return html`<p>${texts.conflictText} <strong>${email}</strong></p>
${form(visit, { name: 'link', hidden: { email, provider }, submit: pagesTexts.mailLink })}
<footer><a href="${pathTo(visit, '/ui/login')}">${pagesTexts.toSignIn}</a></footer>`;
  },
  forms: { link: linkRequest },
};

/** Where the mail leads: a click on the page links, since a scanner that opens it must not. */
const linkPage: Page = {
  path: '/ui/link-verify',
  takesToken: true,
  title: () => texts.link,
  content: (visit) =>
    visit.carried
      ? html`<p>${texts.linkText}</p>
${form(visit, { name: 'link', submit: visit.caller ? texts.confirmSignedIn : texts.confirm })}`
      : html`${!visit.refusal && html`<p>${pagesTexts.openLink}</p>`}
<footer><a href="${pathTo(visit, '/ui/login')}">${pagesTexts.toSignIn}</a></footer>`,
  forms: {
    link: {
      submits: 'POST /link-verify',
      usesCarried: true,
      input: (fields, { caller }) => ({ ...fields, loginAfterLinking: caller === undefined }),
      next: (visit, result) =>
        visit.caller ? pathTo(visit, linkedAccountsPage.path) : goOnSignedIn(visit, result),
    },
  },
};

export const accountLinkingPages = defineFeature({
  accountPages: [linkedAccountsPage],
  errorTexts,
  pages: [conflictPage, linkPage],
});
