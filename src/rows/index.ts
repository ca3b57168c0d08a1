/** Rows of files and streams: CSV and NDJSON, in and out, with row numbers in what is wrong. */
export {escapeField, escapeText, escapeUnits, jsonLine, replaceActing} from './escape-text.ts'
export {idText} from './id-text.ts'
export {
  describeProblem,
  type ProblemSink,
  type RowProblem,
  RowProblems,
  type RowProblemsOptions,
} from './problems.ts'
export {quotableName} from './quotable-name.ts'
export {readCsv} from './read-csv.ts'
export {readNdjson} from './read-ndjson.ts'
export {formatOfName, type RowsFormat, readRows} from './read-rows.ts'
export type {ReadOptions, Row} from './row.ts'
export {type CsvEncoder, type CsvOptions, createCsvEncoder, writeCsv} from './write-csv.ts'
export {writeNdjson} from './write-ndjson.ts'
