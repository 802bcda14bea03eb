import { inLanguage, type Texts } from '../../mail/language.js';
import type { Services } from '../../services.js';

const texts: Texts<(code: string, host: string) => string> = {
  en: (code, host) => `${code} is your code for ${host}. Give it to nobody.`,
};

/**
 * The text with a code. Its last line binds the code to the front end's host: phones offer to fill it
 * in there and nowhere else (WICG, origin-bound one-time codes), so a look-alike site does not get it.
 */
export function codeText({ config }: Services, code: string, language?: string): string {
  const host = new URL(config.APP_URL).hostname;
  return `${inLanguage(texts, language)(code, host)}\n\n@${host} #${code}`;
}
