// Exports for reading documents. The commands of imported contracts use commands.ts.
export {type CompareOptions, compareDocuments, type OperationChange} from './compare/compare-documents.ts'
export type {Difference} from './compare/compare-schemas.ts'
export {matchOperations} from './compare/match-operations.ts'
export {contractFolder, contractNames, StoredContract} from './contract-file.ts'
export type * from './contract-form.ts'
export type * from './document/document.ts'
export {linesOf} from './document/line-of.ts'
export {parseText} from './document/parse-text.ts'
export {type DocumentSource, readDocument} from './document/read-document.ts'
export {draftDialect} from './draft/draft-dialect.ts'
export {
  type DraftDialect,
  type DraftLine,
  type DraftRequest,
  doubtsOf,
  isMapped,
} from './draft/draft-form.ts'
export {ruleText, writeDraft} from './draft/write-draft.ts'
export {exampleOf} from './example.ts'
export {type ImportOptions, type ImportResult, importDocument} from './import-document.ts'
export type {MappedName, NameStanding} from './map/find-service.ts'
export {type ContractMap, fieldNames, mapContract} from './map/map-contract.ts'
export {
  fieldsOf,
  type OperationField,
  selfContained,
} from './operation-fields.ts'
export {commandOfPointer, documentOf} from './stored-document.ts'
