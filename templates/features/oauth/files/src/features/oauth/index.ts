import { get } from '../../http/route.js';
import { beginSignIn } from './begin.js';
import { finishSignIn } from './finish.js';

export const oauthRoutes = [
  get(
    '/oauth/{provider}',
    {
      summary: 'Go to a provider to sign in there',
      status: 302,
      consumes: true,
      errors: ['OAUTH_NOT_CONFIGURED', 'OAUTH_RETURN_PATH_INVALID'],
    },
    beginSignIn,
  ),

  get(
    '/oauth/{provider}/callback',
    {
      summary: 'Come back from a provider, signed in',
      status: 302,
      consumes: true,
      errors: [
        'OAUTH_NOT_CONFIGURED',
        'INVALID_OAUTH_STATE',
        'OAUTH_ACCOUNT_CONFLICT',
        'OAUTH_EMAIL_MISSING',
        'OAUTH_SIGN_UP_REFUSED',
        'OAUTH_FAILED',
      ],
      signsIn: true,
    },
    finishSignIn,
  ),
];
