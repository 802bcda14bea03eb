import type { Action } from './action.js';
import { echoSay } from './actions/echo-say.js';
import { mailSend } from './actions/mail-send.js';
import { usersDisable } from './actions/users-disable.js';
import { usersFind } from './actions/users-find.js';
import { usersSessions } from './actions/users-sessions.js';

/** Everything that scripts can be allowed to do. Yours: one file in `actions/`, one line here. */
export const actions: Action[] = [echoSay, usersFind, usersSessions, usersDisable, mailSend];
