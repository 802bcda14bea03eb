/** Programs that are run to their end. */
export { execa } from 'execa';
