/** JSON with comments. */
export { findNodeAtLocation, type Node, type ParseError, parse, parseTree } from 'jsonc-parser';
