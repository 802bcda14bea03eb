export const totpErrors = {
  INVALID_TOTP_CODE: { status: 400, message: 'The code is wrong, or was used already.' },
} as const;
