import { neededInProduction } from '../../environment/needed-in-production.js';
import { baseVariables } from '../../environment/variables.js';

/** Owners are told by mail of each change of their factors. */
export const totpVariables = {
  SMTP_URL: neededInProduction(baseVariables.SMTP_URL),
};
