import { onOff } from '../../environment/parsers.js';

/** The variables of registration. */
export const registrationVariables = {
  /** `off` unmounts `/register`. */
  REGISTRATION: onOff().prefault('on'),
};
