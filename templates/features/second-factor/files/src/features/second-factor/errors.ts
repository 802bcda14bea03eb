export const secondFactorErrors = {
  INVALID_TEMP_TOKEN: { status: 400, message: 'This sign-in has expired. Start again.' },
  TEMP_TOKEN_REQUIRED: { status: 400, message: 'The tempToken of the sign-in is needed.' },
  '2FA_SETUP_REQUIRED': { status: 403, message: 'Set up a second factor to sign in.' },
  '2FA_REQUIRED': { status: 403, message: 'A second factor is required for this account.' },
} as const;
