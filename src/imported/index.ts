export type * from './document/document.ts'
export {type DocumentSource, readDocument} from './document/read-document.ts'
