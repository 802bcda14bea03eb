export const registrationErrors = {
  REGISTRATION_REJECTED: { status: 400, message: 'This registration is not possible.' },
  USER_EXISTS: { status: 409, message: 'There is an account with this address already.' },
} as const;
