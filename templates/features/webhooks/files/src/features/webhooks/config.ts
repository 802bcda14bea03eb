import { onOff } from '../../environment/parsers.js';

export const webhooksVariables = {
  WEBHOOK_ALLOW_PRIVATE: onOff().prefault('off'),
};
