/** JSON with comments. */
export {
  getNodeValue,
  type Node,
  type ParseError,
  parse,
  parseTree,
} from 'jsonc-parser';
