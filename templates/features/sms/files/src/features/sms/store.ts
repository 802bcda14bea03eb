import type { Db } from '../../db/schema.js';
import { type CodeStore, codeStore } from './code-store.js';
import { type PhoneStore, phoneStore } from './phone-store.js';

export interface SmsStore {
  phones: PhoneStore;
  codes: CodeStore;
}

/** The stores of phone numbers and codes on the service's database. */
export function smsStore(db: Db): SmsStore {
  return { phones: phoneStore(db), codes: codeStore(db) };
}
