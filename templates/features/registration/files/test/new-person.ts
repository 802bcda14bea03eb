/** What a person sends to register. */
export const ADA = { email: 'ada@example.com' };
