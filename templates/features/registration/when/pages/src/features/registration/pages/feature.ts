import type { Config } from '../../../config.js';
import { defineFeature } from '../../../feature.js';
import { type HtmlValue, html } from '../../../http/html.js';
import { emailField } from '../../pages/field.js';
import { form } from '../../pages/form.js';
import type { Language } from '../../pages/language.js';
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
  title: ({ language, query }) => texts[language][query.has('done') ? 'registered' : 'register'],
  content: (visit) => (visit.query.has('done') ? welcome(visit) : registration(visit)),
  forms: {
    register: { submits: 'POST /register', input: inLanguage, beside: { USER_EXISTS: 'email' } },
  },
};

function registration(visit: Visit) {
  const t = texts[visit.language];
  const required = visit.services.features.flatMap((each) => each.registerFields?.(visit) ?? []);
  const optional = profileInputs(visit.language).map((each) => ({
    ...each,
    label: `${each.label} (${t.optional})`,
  }));
  const fields = [emailField(visit), ...required, ...optional];
  return html`${form(visit, { name: 'register', fields, submit: t.register })}
<p class="beside">${t.hasAccount} <a href="${pathTo(visit, '/ui/login')}">${pagesTexts[visit.language].signIn}</a></p>`;
}

async function welcome(visit: Visit) {
  const { features } = visit.services;
  const more = await Promise.all(features.map((each) => each.registerNotice?.(visit)));
  return html`${more}
<p>${texts[visit.language].useIt}</p>
<p><a class="button primary" href="${pathTo(visit, '/ui/login')}">${pagesTexts[visit.language].signIn}</a></p>`;
}

const startLinks = (config: Config, language: Language): [string, string][] =>
  isOpen(config) ? [[`${config.AUTH_PREFIX}/ui/register`, texts[language].register]] : [];

export const registrationPages = defineFeature({
  errorTexts,
  besideSignIn: (visit: Visit): HtmlValue => {
    const t = texts[visit.language];
    if (!isOpen(visit.services.config)) return undefined;
    return html`<p class="beside">${t.isNew} <a href="${pathTo(visit, '/ui/register')}">${t.register}</a></p>`;
  },
  startLinks,
  pages: [registerPage],
});
