export {type Issue, type ParsedText, type Position, parseText} from './parse-text.ts'
export {type Forms, inOrder, once, schemaProblems} from './schema-problems.ts'
export {placedIn, unusableFile} from './text-file.ts'
