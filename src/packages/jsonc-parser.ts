/** JSON with comments. */
export {
  getNodeValue,
  type Node,
  type ParseError,
  parse,
  parseTree,
  visit,
} from 'jsonc-parser';
