import { neededInProduction } from '../../environment/needed-in-production.js';
import { text, wholeNumber } from '../../environment/parsers.js';
import { baseVariables } from '../../environment/variables.js';

/** The variables of password sign-in. */
export const passwordVariables = {
  /** Each step doubles the time of a hash; OWASP asks for 10 at least, past 15 a login takes seconds. */
  BCRYPT_COST: wholeNumber(10, 15).prefault('12'),
  BOOTSTRAP_ADMIN_PASSWORD: text().optional(),
  /** A forgotten password is reset by mail. */
  SMTP_URL: neededInProduction(baseVariables.SMTP_URL),
};
