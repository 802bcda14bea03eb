import type { Config } from '../../config.js';
import { entries, variable } from '../../process/environment.js';

/** The sender pays for texts to these: the aim of SMS pumping fraud. */
const COSTLY = new Set(['PREMIUM_RATE', 'SHARED_COST']);

/**
 * A phone number in E.164; undefined without a country code, with an extension, or with a length that its
 * country does not use. Not stricter: lists of number ranges become outdated, and the code proves the rest.
 */
export async function parsePhoneNumber(text: string): Promise<string | undefined> {
  const number = await readNumber(text);
  if (!number?.isPossible() || number.ext) return undefined;
  return COSTLY.has(number.getType() ?? '') ? undefined : number.number;
}

/** True for a number (E.164) of a country that SMS_COUNTRIES names. Outside production all are, unless it is set. */
export async function isCountryAllowed(
  { SMS_COUNTRIES: allowed }: Config,
  phoneNumber: string,
): Promise<boolean> {
  if (allowed === undefined || allowed.includes('*')) return true;
  const code = (await readNumber(phoneNumber))?.countryCallingCode;
  return code !== undefined && allowed.includes(code);
}

/** The variable for calling codes: `1,44,49`, or `*` for all. */
export function callingCodes() {
  return variable('calling codes separated by commas, such as 1,44,49, or * for all', (text) => {
    const codes = entries(text).map((code) => code.replace(/^\+/, ''));
    const areCodes = codes.length > 0 && codes.every((code) => /^[1-9]\d{0,2}$/.test(code));
    return areCodes || text.trim() === '*' ? codes : undefined;
  });
}

async function readNumber(text: string) {
  // Loaded with the first number: the data of all countries takes 10 MB.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/max');
  return parsePhoneNumberFromString(text, { extract: false });
}
