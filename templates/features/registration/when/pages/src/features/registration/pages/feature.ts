import type { Config } from '../../../config.js';
import { defineFeature } from '../../../feature.js';
import { type HtmlValue, html } from '../../../http/html.js';
import type { Route } from '../../../http/route.js';
import type { Language } from '../../pages/language.js';
import { pathTo } from '../../pages/paths.js';
import type { Visit } from '../../pages/visit.js';
import { isOpen } from '../feature.js';
import { registerPage } from './register.js';
import { errorTexts, texts } from './texts.js';

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
  routes: (): Route[] => registerPage,
});
