import { neededInProduction } from '../../environment/needed-in-production.js';
import { baseVariables } from '../../environment/variables.js';

export const magicLinkVariables = {
  SMTP_URL: neededInProduction(baseVariables.SMTP_URL),
};
