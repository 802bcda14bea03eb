export const emailVerificationErrors = {
  ALREADY_VERIFIED: { status: 400, message: 'The address is verified already.' },
  INVALID_VERIFICATION_TOKEN: { status: 400, message: 'This link is not valid any more.' },
  EMAIL_NOT_VERIFIED: {
    status: 403,
    message: 'Open the link that was mailed to you, then sign in.',
  },
  EMAIL_VERIFICATION_REQUIRED: {
    status: 403,
    message: 'The time to verify the address is over. Open the link that was mailed to you.',
  },
} as const;
