/** YAML with its comments and its layout. */
export {
  type Document,
  isMap,
  isNode,
  isPair,
  isSeq,
  parseAllDocuments,
  parseDocument,
  type Tags,
  type ToStringOptions,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
