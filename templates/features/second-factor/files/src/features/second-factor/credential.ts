import type { Services } from '../../services.js';
import type { Credential } from '../../session/credential.js';

/** A sign-in that waits for its second factor opens nothing by itself, but must not outlive its first. */
export const secondFactorCredential: Credential = {
  async opensAccount() {
    return false;
  },
  forget: closeAll,
  stopSignIns: closeAll,
};

async function closeAll({ secondFactor }: Services, userId: string): Promise<void> {
  await secondFactor.closeAll(userId);
}
