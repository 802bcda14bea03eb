import type { Config } from '../../../config.js';
import { defineFeature } from '../../../feature.js';
import { type HtmlValue, html } from '../../../http/html.js';
import { emailField, form } from '../../pages/form.js';
import type { Text } from '../../pages/language.js';
import { inLanguage, type Page } from '../../pages/page.js';
import { pathTo } from '../../pages/paths.js';
import { profileInputs } from '../../pages/profile.js';
import { pagesTexts } from '../../pages/texts.js';
import type { Visit } from '../../pages/visit.js';
import { isOpen } from '../feature.js';
import { errorTexts, texts } from './texts.js';

const registerPage: Page = {
  path: '/ui/register',
  isMounted: isOpen,
  title: ({ query }) => texts[query.has('done') ? 'registered' : 'register'],
  content: (visit) => (visit.query.has('done') ? welcome(visit) : registration(visit)),
  forms: {
    register: { submits: 'POST /register', input: inLanguage, beside: { USER_EXISTS: 'email' } },
  },
};

function registration(visit: Visit) {
  const required = visit.services.features.flatMap((each) => each.registerFields ?? []);
  const optional = profileInputs().map((each) => ({
    ...each,
    label: html`${each.label} (${texts.optional})`,
  }));
  const fields = [emailField, ...required, ...optional];
  return html`${form(visit, { name: 'register', fields, submit: texts.register })}
<p class="beside">${texts.hasAccount} <a href="${pathTo(visit, '/ui/login')}">${pagesTexts.signIn}</a></p>`;
}

async function welcome(visit: Visit) {
  const { features } = visit.services;
  const more = await Promise.all(features.map((each) => each.registerNotice?.(visit)));
  return html`${more}
<p>${texts.useIt}</p>
<p><a class="button primary" href="${pathTo(visit, '/ui/login')}">${pagesTexts.signIn}</a></p>`;
}

const startLinks = (config: Config): [string, Text][] =>
  isOpen(config) ? [[`${config.AUTH_PREFIX}/ui/register`, texts.register]] : [];

export const registrationPages = defineFeature({
  errorTexts,
  besideSignIn: (visit: Visit): HtmlValue => {
    if (!isOpen(visit.services.config)) return undefined;
    return html`<p class="beside">${texts.isNew} <a href="${pathTo(visit, '/ui/register')}">${texts.register}</a></p>`;
  },
  startLinks,
  pages: [registerPage],
});
