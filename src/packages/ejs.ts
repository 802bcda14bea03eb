/** Templates of lists. */
export { default as ejs } from 'ejs';
