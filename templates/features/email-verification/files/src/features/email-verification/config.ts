import { neededInProduction } from '../../environment/needed-in-production.js';
import { duration, oneOf } from '../../environment/parsers.js';
import { baseVariables } from '../../environment/variables.js';
import { verificationModes } from './settings.js';

export const emailVerificationVariables = {
  EMAIL_VERIFICATION: oneOf(...verificationModes).prefault('none'),
  EMAIL_VERIFICATION_GRACE: duration(0).prefault('7d'),
  SMTP_URL: neededInProduction(baseVariables.SMTP_URL),
};
