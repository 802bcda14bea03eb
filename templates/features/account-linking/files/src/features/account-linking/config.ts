import { neededInProduction } from '../../environment/needed-in-production.js';
import { baseVariables } from '../../environment/variables.js';

/** Links are mailed, and owners are told of each change. */
export const accountLinkingVariables = {
  SMTP_URL: neededInProduction(baseVariables.SMTP_URL),
};
