/** YAML with its comments and its layout. */
export { type Document, isMap, isNode, isSeq, parseDocument, type YAMLMap } from 'yaml';
