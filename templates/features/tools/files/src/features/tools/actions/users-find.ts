import { z } from 'zod';
import { emailField } from '../../../users/email.js';
import { defineAction } from '../action.js';

export const usersFind = defineAction({
  id: 'users.find',
  label: 'Find a user',
  category: 'Users',
  description: 'Finds a user by {email} or {id}; null if there is none.',
  input: z.union([z.object({ email: emailField }), z.object({ id: z.string().max(64) })]),
  async fn(input, { services: { users } }) {
    const user =
      'email' in input ? await users.findByEmail(input.email) : await users.findById(input.id);
    if (!user) return null;
    const { id, email, emailVerifiedAt, disabledAt, metadata } = user;
    return {
      id,
      email,
      isEmailVerified: emailVerifiedAt !== null,
      isDisabled: disabledAt !== null,
      metadata,
    };
  },
});
