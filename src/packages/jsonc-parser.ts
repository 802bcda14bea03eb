/** JSON with comments. */
export {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parse,
  parseTree,
} from 'jsonc-parser';
