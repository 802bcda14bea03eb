/** The receivers of the tests listen on loopback. */
export const webhooksTestEnvironment = {
  WEBHOOK_ALLOW_PRIVATE: 'on',
};
