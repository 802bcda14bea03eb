import { nativeClient } from '../../../test/client.js';
import { challengeOf, type Factors } from '../../../test/factor.js';
import { hashPassword } from './hash.js';

const password = 'correct horse battery staple';

export const passwordTestFactors: Factors = {
  first: {
    password: async () => ({
      method: 'local',
      variables: {},
      async enrol({ services }, { user }) {
        await services.password.save(user.id, await hashPassword(password, 4));
      },
      async begin(service, { user }) {
        return challengeOf(
          await nativeClient(service).post('/login', { email: user.email, password }),
        );
      },
    }),
  },
};
