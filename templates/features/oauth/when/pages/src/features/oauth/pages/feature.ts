import { defineFeature } from '../../../feature.js';
import { type Html, type HtmlValue, html } from '../../../http/html.js';
import type { SignedIn, Visit } from '../../pages/visit.js';
import { configuredProvider } from '../configured-provider.js';
import { providers } from '../providers.js';
import { providerTitles } from './provider-titles.js';
import { errorTexts, texts } from './texts.js';

/** Links, since a redirect to a provider after a form meets the `form-action` of the policy. */
function providerLinks({ services }: Visit, returnPath: string): Html | undefined {
  const { config } = services;
  const names = Object.keys(providers).filter((name) => configuredProvider(config, name));
  const search = new URLSearchParams({ return_path: returnPath });
  const links = names.map(
    (name) =>
      html`<a class="button plain" href="${config.AUTH_PREFIX}/oauth/${name}?${search.toString()}">${texts.continueWith} ${providerTitles[name]}</a>`,
  );
  return links.length > 0 ? html`${links}` : undefined;
}

function besideSignIn(visit: Visit): HtmlValue {
  const returnTo = visit.query.get('return_to');
  const onward = returnTo ? `/?${new URLSearchParams({ return_to: returnTo })}` : '/';
  const links = providerLinks(visit, onward);
  return links && html`<div class="ways">${links}</div>`;
}

/** A provider's account is linked by its address: another address would open an account of its own. */
function linkWays(visit: SignedIn): Html | undefined {
  const links = providerLinks(visit, '/account/linked-accounts');
  return (
    links &&
    html`<div class="ways"><p>${texts.toLink} <strong>${visit.caller.user.email}</strong></p>
${links}</div>`
  );
}

export const oauthPages = defineFeature({
  errorTexts,
  besideSignIn,
  linkWays,
  providerTitle: (provider: string) => providerTitles[provider],
});
