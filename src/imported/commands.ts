// Exports that every command of an imported contract loads: no parser, no validator and no reader of documents.

export {kindOfValue, readValue} from './call/read-value.ts'
export {rowForm} from './call/row-form.ts'
export {withoutReferences} from './call/schema-source.ts'
export {toOperation} from './call/to-operation.ts'
export {FilePart} from './call/write-body.ts'
export {
  contractFolder,
  contractNames,
  StoredContract,
} from './contract-file.ts'
export {plainWords} from './document/plain-words.ts'
export {lastId} from './pages/last-id.ts'
export {listIn} from './pages/list-in.ts'
export {type PagedOperation, PageTurner} from './pages/page-turner.ts'
export {saysMore, signsOf} from './pages/signs.ts'
export {removeContract, removeContracts} from './write-contract.ts'
