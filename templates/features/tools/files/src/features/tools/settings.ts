import { z } from 'zod';
import { setting } from '../../settings/setting.js';

export const toolsSettings = {
  /** The ids of the actions that scripts may use at all; none until an administrator says so. */
  enabledWebhookActions: setting(z.array(z.string().min(1).max(128)).max(500), () => []),
};
