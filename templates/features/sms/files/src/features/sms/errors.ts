export const smsErrors = {
  INVALID_PHONE_NUMBER: {
    status: 400,
    message: 'Give the phone number with its country code, such as +4915112345678.',
  },
  INVALID_SMS_CODE: { status: 400, message: 'This code is wrong or not valid any more.' },
} as const;
