/** Rows of files and streams: CSV and NDJSON, in and out, with row numbers in what is wrong. */
export {escapeField, escapeText, escapeUnits, jsonLine, replaceActing} from './escape-text.ts'
export {
  describeProblem,
  type ProblemSink,
  type RowProblem,
  RowProblems,
  type RowProblemsOptions,
} from './problems.ts'
export {readCsv} from './read-csv.ts'
export {readNdjson} from './read-ndjson.ts'
export {formatOfName, type RowsFormat, readRows} from './read-rows.ts'
export type {ReadOptions, Row} from './row.ts'
export {idText, quotableName} from './row.ts'
export {type CsvEncoder, type CsvOptions, createCsvEncoder, writeCsv, writeNdjson} from './write-rows.ts'
