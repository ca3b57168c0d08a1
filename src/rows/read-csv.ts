import {Failure} from '../errors/failure.ts'
import {LIMITS, type Limits} from '../limits/limits.ts'
import {readRecords} from './csv-records.ts'
import {readLines} from './lines.ts'
import {RowProblems} from './problems.ts'
import {columnLabel, quotableName} from './quotable-name.ts'
import type {ReadOptions, Row} from './row.ts'

/**
 * The data rows of a CSV stream (RFC 4180, UTF-8, with a header row) by the header's names. Blank lines are skipped.
 * @throws Failure INPUT_INVALID for a missing or unusable header, and for bad rows as `ReadOptions.problems` says.
 */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<Row<string>> {
  const own = new RowProblems({source: options.source})
  const problems = options.problems ?? own
  const {source, limits = LIMITS.row} = options
  let header: readonly string[] | undefined
  let row = 0
  for await (const record of readRecords(readLines(bytes, {maxBytes: limits.bytes, source}), limits.bytes)) {
    const {line} = record
    if (header === undefined) {
      if ('fault' in record) throw headerFailure(source, [{row: 0, line, message: record.fault}])
      header = readHeader(record.fields, line, source, limits)
      continue
    }
    row += 1
    if ('fault' in record) {
      const {place, fault} = record
      const column = place === undefined ? {} : {column: columnLabel(header[place], place + 1)}
      problems.add({row, line, ...column, message: fault})
    } else if (record.fields.length !== header.length) {
      const message = `has ${count(record.fields.length)}, the header has ${count(header.length)}`
      problems.add({row, line, message})
    } else {
      yield {row, line, values: Object.fromEntries(header.map((name, at) => [name, record.fields[at] ?? '']))}
    }
  }
  if (header === undefined) {
    throw new Failure('INPUT_INVALID', {
      message: `${source} is empty`,
      hint: 'The first line must name the columns.',
    })
  }
  own.throwIfAny()
}

const count = (fields: number) => (fields === 1 ? '1 field' : `${fields} fields`)

function readHeader(
  fields: readonly string[],
  line: number,
  source: string,
  {values}: Limits,
): readonly string[] {
  if (fields.length > values) {
    throw headerFailure(source, [{row: 0, line, message: `has more than ${values} columns`}])
  }
  const names = fields.map(field => field.trim())
  const places = new Map<string, number>()
  const problems = names.flatMap((name, at) => {
    const column = `column ${at + 1}`
    if (name === '') return [{row: 0, line, column, message: 'has no name'}]
    const first = places.get(name)
    if (first === undefined) {
      places.set(name, at)
      return []
    }
    const known = quotableName(name)
    return [
      {row: 0, line, column, message: `has the name of column ${first + 1}${known ? `, ${known}` : ''}`},
    ]
  })
  if (problems.length > 0) throw headerFailure(source, problems)
  return names
}

function headerFailure(source: string, problems: readonly Parameters<RowProblems['add']>[0][]): Failure {
  const all = new RowProblems({source})
  for (const problem of problems) all.add(problem)
  return all.toFailure().with({hint: 'The first line must name the columns, each once.'})
}
