/** The parser of JavaScript and TypeScript. */
export { type ParseResult, type ParserPlugin, parse } from '@babel/parser';
