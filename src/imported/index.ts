export {kindOfValue, readValue} from './call/read-value.ts'
export {unfolded} from './call/schema-source.ts'
export {toOperation} from './call/to-operation.ts'
export {FilePart} from './call/write-body.ts'
export {type CompareOptions, compareDocuments, type OperationChange} from './compare/compare-documents.ts'
export type {Difference} from './compare/difference.ts'
export {matchOperations} from './compare/match-operations.ts'
export {resolved, typesOf} from './compile/walk-schema.ts'
export {
  contractFolder,
  contractNames,
  removeContract,
  removeContracts,
  StoredContract,
} from './contract-file.ts'
export type * from './contract-form.ts'
export type * from './document/document.ts'
export type {DocumentSource} from './document/read-document.ts'
export {exampleOf} from './example.ts'
export type {ImportOptions, ImportResult} from './import-document.ts'
export {membersOf, type OperationMember, selfContained} from './operation-members.ts'
export {commandOfPointer, documentOf} from './stored-document.ts'

import type {ImportedDocument} from './document/document.ts'
import type {DocumentSource} from './document/read-document.ts'
import type {ImportOptions, ImportResult} from './import-document.ts'

/** Reads a document; see read-document.ts. A door: the parser is for those who read documents. */
export async function readDocument(source: DocumentSource): Promise<ImportedDocument> {
  return (await import('./document/read-document.ts')).readDocument(source)
}

/** Reads, compiles and keeps a document; see import-document.ts. The same door. */
export async function importDocument(source: DocumentSource, options: ImportOptions): Promise<ImportResult> {
  return (await import('./import-document.ts')).importDocument(source, options)
}
