import { z } from 'zod';

export const secondFactorSettings = {
  /** True: nobody signs in without a second factor. */
  require2FA: z.boolean(),
};
