/** A user who must set up a second factor has no session yet, and may have to verify the address first. */
export { SETUP_TOKEN as ACCEPTED_TOKEN } from '../second-factor/challenge.js';
