import type { FeatureParts } from '../../../feature.js';
import { refuse } from '../../../http/errors.js';
import { type Html, html, textIn } from '../../../http/html.js';
import { emailField as Address } from '../../../users/user.js';
import { linkWays, signedInAs } from '../../oauth/pages/feature.js';
import { emailField } from '../../pages/field.js';
import { confirmedForm, form } from '../../pages/form.js';
import { ago, type TextsOf, translator } from '../../pages/language.js';
import { otherWays, redirectAfterSignIn, removalNotice } from '../../pages/login.js';
import type { Form } from '../../pages/page.js';
import { pathTo, type SignedIn, type Visit } from '../../pages/visit.js';
import type { accountLinking } from '../feature.js';
import { ADDRESS, KIND, type LinkedAccount, nameOf, pendingKind } from '../linked-accounts.js';
import { findPending } from '../mailed-link.js';
import type { LinkTarget } from '../mails.js';

const t = translator({
  de: {
    'Linked accounts': 'Verknüpfte Konten',
    None: 'Keine',
    'No account is linked yet.': 'Noch ist kein Konto verknüpft.',
    'Confirmed. The account that requested this now has the link.':
      'Die Verknüpfung ist bestätigt. Sie finden sie in dem Konto, das sie angefordert hat.',
    'Another mailbox': 'Weiteres Postfach',
    linked: 'verknüpft:',
    Unlink: 'Trennen',
    'It will no longer sign you in to this account, unless its address belongs to the account.':
      'Damit können Sie sich an diesem Konto nicht mehr anmelden, außer die Adresse gehört zum Konto.',
    'That account is no longer linked.': 'Dieses Konto ist nicht mehr verknüpft.',
    'Does your account there have another address? Add that one first:':
      'Hat Ihr Konto dort eine andere Adresse? Fügen Sie diese zuerst hinzu:',
    'You already have an account': 'Sie haben schon ein Konto',
    'To sign in this way too, confirm by email that this account is yours:':
      'Um sich auch so anzumelden, bestätigen Sie per E-Mail, dass dieses Konto Ihnen gehört:',
    'Link the accounts': 'Konten verknüpfen',
    'Add the email address': 'E-Mail-Adresse hinzufügen',
    'Your account': 'Ihr Konto',
    'After linking, you can also sign in with:': 'Danach können Sie sich auch hiermit anmelden:',
    'This address will be added to the account that requested it:':
      'Diese Adresse wird dem Konto hinzugefügt, das darum gebeten hat:',
    'Link and sign in': 'Verknüpfen und anmelden',
    'Add and sign in': 'Hinzufügen und anmelden',
    INVALID_LINK_TOKEN: 'Dieser Link ist nicht mehr gültig.',
    LAST_LOGIN_METHOD:
      'Das ist Ihre einzige Möglichkeit, sich anzumelden. Fügen Sie zuerst eine andere hinzu.',
  },
} satisfies TextsOf<typeof accountLinking>);

function titleOf({ language }: SignedIn, account: LinkedAccount): string {
  return account.provider === ADDRESS ? textIn(t('Another mailbox'), language) : nameOf(account);
}

const added = t('Confirmed. The account that requested this now has the link.');

/** Mails the link that links an account or adds an address. */
const linkRequest: Form = {
  submits: 'POST /link-request',
  done: t('An email is on its way. Open its link in this browser within an hour.'),
};

export const accountLinkingPages: FeatureParts = {
  texts: t.texts,
  accountPages: {
    '/ui/account/linked-accounts': {
      section: 'access',
      order: 4,
      title: () => t('Linked accounts'),
      done: added,
      state: async (visit) => {
        const titles = (await linkedTo(visit)).map((each) => titleOf(visit, each));
        return [...new Set(titles)].join(', ') || t('None');
      },
      content: async (visit) => {
        const accounts = await linkedTo(visit);
        const ways = linkWays(visit);
        const rows = html`<ul class="rows">${accounts.map((each) => row(visit, each))}</ul>`;
        return html`${signedInAs(visit)}
${accounts.length > 0 ? rows : html`<p>${t('No account is linked yet.')}</p>`}
${ways}
${ways && addressForm(visit)}`;
      },
      forms: {
        unlink: {
          submits: 'DELETE /linked-accounts/{provider}/{id}',
          done: t('That account is no longer linked.'),
        },
        add: linkRequest,
      },
    },
  },
  pages: {
    // Where a sign-in at a provider leads if its address already has an account: its owner decides, by a mailed link.
    '/ui/account-conflict': {
      title: () => t('You already have an account'),
      // Only in the browser that met the conflict: anybody can link to a page, and offer their own account for linking.
      elsewhere: async (visit) => {
        const { services, request } = visit;
        const [, , isOwn] = (await findPending(services, request, conflictIn(visit))) ?? [];
        return isOwn ? undefined : pathTo(visit, '/ui/login');
      },
      content: async (visit) => {
        const conflict = conflictIn(visit);
        const [, target] = (await findPending(visit.services, visit.request, conflict)) ?? [];
        const hidden = { ...conflict, ...(target && { pending: pendingKind(target.account) }) };
        return html`<p>${t('To sign in this way too, confirm by email that this account is yours:')} <strong>${hidden.email}</strong></p>
${form(visit, { name: 'link', hidden, submit: t('Email me a link') })}
${otherWays(visit)}`;
      },
      forms: { link: linkRequest },
    },
    // Where the mail leads. Only a click on this page links: a mail scanner that opens it must change nothing.
    '/ui/link-verify': {
      takesTokenFrom: '/ui/login',
      title: async (visit) => {
        const isAddress = (await targetOf(visit))?.account.provider === ADDRESS;
        return t(isAddress ? 'Add the email address' : 'Link the accounts');
      },
      content: async (visit) => {
        const target = await targetOf(visit);
        if (!target) throw refuse('INVALID_LINK_TOKEN');
        const { account, mailedTo } = target;
        const isAddress = account.provider === ADDRESS;
        const withSignIn = isAddress ? 'Add and sign in' : 'Link and sign in';
        const submit = isAddress ? 'Add the email address' : 'Link the accounts';
        const names = new Set([nameOf(account), account.email]);
        const owner = isAddress ? undefined : await visit.services.users.findByEmail(mailedTo);
        return html`${!isAddress && html`<p>${t('Your account')}: <strong>${mailedTo}</strong></p>`}
<p>${t(isAddress ? 'This address will be added to the account that requested it:' : 'After linking, you can also sign in with:')} <strong>${[...names].join(', ')}</strong></p>
${owner && (await removalNotice(visit, owner))}
${form(visit, { name: 'link', submit: t(visit.caller ? submit : withSignIn) })}`;
      },
      forms: {
        link: {
          submits: 'POST /link-verify',
          done: added,
          input: (fields, { caller }) => ({ ...fields, loginAfterLinking: caller === undefined }),
          next: (visit, result) =>
            visit.caller
              ? pathTo(visit, '/ui/account/linked-accounts', { done: 'link' })
              : redirectAfterSignIn(visit, result),
        },
      },
    },
  },
};

/** What the mailed link links; undefined if it is no longer valid. */
async function targetOf({ services, carried }: Visit): Promise<LinkTarget | undefined> {
  const found = await services.oneTimeTokens.find(KIND, carried?.token ?? '');
  return found && JSON.parse(found.payload);
}

const conflictIn = ({ query }: Visit) => ({
  email: Address.safeParse(query.get('email')).data ?? '',
  provider: query.get('provider') ?? '',
});

const linkedTo = ({ services, caller }: SignedIn) =>
  services.accountLinking.listOfUser(caller.user.id);

/** A provider's account with another address can be linked once that address has been added by a mailed link. */
function addressForm(visit: SignedIn): Html {
  const fields = [{ ...emailField, autocomplete: 'email' }];
  return html`<section><p>${t('Does your account there have another address? Add that one first:')}</p>
${form(visit, { name: 'add', fields, submit: t('Email me a link'), look: 'plain' })}</section>`;
}

function row(visit: SignedIn, account: LinkedAccount): Html {
  const { provider, id, email, name, linkedAt } = account;
  const who = [name, email].filter(Boolean).join(', ');
  const hidden = { provider, id };
  return html`<li><div><strong>${titleOf(visit, account)}</strong>
<p class="aside">${who} · ${t('linked')} ${ago(visit.language, linkedAt)}</p></div>
${confirmedForm(visit, t('It will no longer sign you in to this account, unless its address belongs to the account.'), { name: 'unlink', hidden, submit: t('Unlink') })}</li>`;
}
