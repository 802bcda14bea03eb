import { z } from 'zod';

/** A code as it was typed; one that cannot be right is simply wrong. */
export const codeField = z.string().trim().min(1).max(64);
