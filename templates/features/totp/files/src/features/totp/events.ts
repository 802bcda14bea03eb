export interface TotpEvents {
  'identity.user.2fa.enabled': { method: 'totp' };
  'identity.user.2fa.disabled': { method: 'totp' };
}
