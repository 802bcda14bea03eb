import { z } from 'zod';
import { setting } from '../../settings/setting.js';

export const secondFactorSettings = {
  /** True: nobody signs in without a second factor. */
  require2FA: setting(z.boolean(), () => false),
};
