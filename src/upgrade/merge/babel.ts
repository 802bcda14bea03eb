/** The parser is a third of a megabyte: only what is about to parse imports this. */
export { parse } from '@babel/parser';
