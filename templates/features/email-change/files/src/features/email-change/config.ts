import { neededInProduction } from '../../environment/needed-in-production.js';
import { baseVariables } from '../../environment/variables.js';

/** A new address is proved by mail. */
export const emailChangeVariables = {
  SMTP_URL: neededInProduction(baseVariables.SMTP_URL),
};
