import { defineFeature } from '../../../feature.js';
import type { HttpError } from '../../../http/errors.js';
import { type HtmlValue, html } from '../../../http/html.js';
import type { Route } from '../../../http/route.js';
import { pathTo } from '../../pages/paths.js';
import type { Visit } from '../../pages/visit.js';
import { currentSetting } from '../../settings/settings.js';
import { emailVerifiedPage } from './email-verified.js';
import { errorTexts, texts } from './texts.js';
import { verifyPage } from './verify-email.js';

/** Whoever is signed in, and may not go on before their address is confirmed, can have the link mailed. */
function afterRefusal(visit: Visit, { code }: HttpError): string | undefined {
  const isMissing = code === 'EMAIL_NOT_VERIFIED' && visit.caller !== undefined;
  return isMissing ? pathTo(visit, verifyPage.path) : undefined;
}

async function registerNotice({ services, language }: Visit): Promise<HtmlValue> {
  const mode = await currentSetting(services, 'emailVerificationMode');
  return mode !== 'none' && html`<p class="notice good">${texts[language].mailed}</p>`;
}

export const emailVerificationPages = defineFeature({
  accountPages: [verifyPage],
  afterRefusal,
  registerNotice,
  errorTexts,
  routes: (): Route[] => emailVerifiedPage,
});
