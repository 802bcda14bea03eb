import type { Step } from '../step.js';
import type { Visitor } from '../visitor.js';

export const steps: Step[] = [];

export async function openAccount({ account, send }: Visitor): Promise<void> {
  await send('POST', '/register', 201, { ...account, firstName: 'Ada', lastName: 'Lovelace' });
}
