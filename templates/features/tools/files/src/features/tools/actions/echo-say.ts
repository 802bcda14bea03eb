import { z } from 'zod';
import { defineAction } from '../action.js';

export const echoSay = defineAction({
  id: 'echo.say',
  label: 'Echo',
  category: 'Testing',
  description: 'Returns its argument.',
  input: z.json().optional(),
  fn: async (input) => input,
});
