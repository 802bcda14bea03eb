export const emailChangeErrors = {
  INVALID_EMAIL_CHANGE_TOKEN: { status: 400, message: 'This link is not valid any more.' },
  EMAIL_IN_USE: { status: 409, message: 'There is an account with this address already.' },
  PASSWORD_REQUIRED: { status: 400, message: 'Give the current password to do this.' },
} as const;
