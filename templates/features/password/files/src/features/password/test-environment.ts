/** Variables in tests: the lowest cost, since tests hash a lot. */
export const passwordTestEnvironment = {
  BCRYPT_COST: '10',
};
