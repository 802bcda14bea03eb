import type { Action } from './action.js';
import { echoSay, mailSend, usersDisable, usersFind, usersSessions } from './actions/shipped.js';

/** Every action that scripts can be allowed. To add yours: one file in `actions/`, one line here. */
export const actions: Action[] = [
  // One a line, so that upgrades can merge them.
  echoSay,
  usersFind,
  usersSessions,
  usersDisable,
  mailSend,
];
