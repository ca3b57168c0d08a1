import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {Failure} from '../../src/errors/failure.ts'
import {LIMITS} from '../../src/limits/limits.ts'
import {writeCsv} from '../../src/output/write-rows.ts'
import type {RowProblem} from '../../src/rows/problem-groups.ts'
import {RowProblems} from '../../src/rows/problems.ts'
import {readCsv} from '../../src/rows/read-csv.ts'
import {chunks, collect} from './chunks.ts'

const read = (content: string | Uint8Array, size?: number) =>
  collect(readCsv(chunks(content, size), {source: 'rent.csv'}))

async function failureOf(reading: Promise<unknown>): Promise<Failure> {
  const caught = await reading.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (caught instanceof Failure) return caught
  throw caught ?? new Error('expected a failure')
}

const problemsOf = (failure: Failure) => failure.details.data?.problems as readonly RowProblem[]

describe('readCsv', () => {
  it('gives rows by the header, with row and line numbers', async () => {
    const rows = await read('\ufeffid, name \r\n1,"a ""b"",\r\nc"\r\n\r\n2,\n')
    expect(rows).toEqual([
      {row: 1, line: 2, values: {id: '1', name: 'a "b",\r\nc'}},
      {row: 2, line: 5, values: {id: '2', name: ''}},
    ])
  })

  it('takes a header alone, and a last line without a break', async () => {
    expect(await read('a,b')).toEqual([])
    expect(await read('a\nx')).toEqual([{row: 1, line: 2, values: {a: 'x'}}])
  })

  it('with finalNewline, reads no row of a text that was cut inside of one', async () => {
    const line = fc.tuple(fc.stringMatching(/^[a-z]{1,4}$/), fc.stringMatching(/^[0-9 ]{0,4}[0-9]$/))
    await fc.assert(
      fc.asyncProperty(fc.array(line, {minLength: 1}), fc.nat(), fc.nat(9), async (lines, at, size) => {
        const texts = ['name,size', ...lines.map(fields => fields.join(','))].map(text => `${text}\n`)
        const whole = texts.join('')
        const cut = whole.slice(0, 1 + (at % whole.length))
        const options = {source: 'stdin', finalNewline: true}
        const reading = collect(readCsv(chunks(cut, size + 1), options))
        if (cut.endsWith('\n')) expect(await reading).toHaveLength(cut.split('\n').length - 2)
        else expect((await failureOf(reading)).message).toContain('may have been cut off')
      }),
    )
  })

  it('keeps a column named like a part of every object as data', async () => {
    const [row] = await read('__proto__,constructor\n1,2')
    expect(Object.entries(row?.values ?? {})).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ])
  })

  it('lists all bad rows, a stray quote spoiling its own line only', async () => {
    const failure = await failureOf(read('a,b\n1,2\n5" pipe,x\n3,4\n1,2,3\n"x"y,4\nq,"open\n7,8\n9,9\n'))
    expect(failure.exit).toBe(2)
    expect(failure.message).toBe('4 rows of rent.csv cannot be used')
    expect(problemsOf(failure).map(({row, line, column}) => [row, line, column])).toEqual([
      [2, 3, 'a'],
      [4, 5, undefined],
      [5, 6, 'a'],
      [6, 7, 'b'],
    ])
  })

  it('yields the good rows between bad ones and hands the bad ones to the caller', async () => {
    const problems = new RowProblems({source: 'x'})
    const rows = await collect(readCsv(chunks('a,b\n1\n2,2\n3,"\n4,4\n'), {source: 'x', problems}))
    expect(rows.map(({row}) => row)).toEqual([2, 4])
    expect(problems.kept.map(({row}) => row)).toEqual([1, 3])
  })

  it('counts all and lists a bounded number', async () => {
    const failure = await failureOf(read(`a,b\n${'x\n'.repeat(120)}`, 1000))
    expect(failure.message).toContain('120 rows')
    expect(failure.details.data?.count).toBe(120)
    expect(problemsOf(failure)).toHaveLength(50)
  })

  it('never quotes the contents, a missing header with card numbers included', async () => {
    const pan = '4111111111111111'
    for (const content of [
      `${pan},${pan}\n1,2`,
      `a,b\n${pan}"x,1\n`,
      `a,b\n"${pan}"${pan},1`,
      `${pan}"`,
      `a\n"${pan}`,
    ]) {
      const failure = await failureOf(read(content))
      expect(JSON.stringify({...failure.details, message: failure.message}), content).not.toContain('4111')
    }
  })

  it.each([
    ['', 'rent.csv is empty'],
    ['a,,b\n', 'rent.csv, header (line 1), column 2: has no name'],
    ['a,b,a\n', 'rent.csv, header (line 1), column 3: has the name of column 1, a'],
    ['"a\n', 'rent.csv, header (line 1): a quote is opened and not closed'],
    [','.repeat(10_000), 'rent.csv, header (line 1): has more than 10000 columns'],
    ['a\rb\r', 'rent.csv, header (line 1): holds a bare carriage return; end lines with LF or CRLF'],
  ])('refuses the header of %.20j', async (content, message) => {
    expect((await failureOf(read(content))).message).toBe(message)
  })

  it('refuses what is not UTF-8 and what is too long, by row', async () => {
    const bytes = Buffer.concat([
      Buffer.from('a,b\nok,1\n'),
      Buffer.from([0xe4, 0x2c, 0x31, 0x0a]),
      Buffer.from(`${'x'.repeat(200)},1\nnul\0,2\nok,2`),
    ])
    const problems = new RowProblems({source: 'x'})
    const rows = await collect(
      readCsv(chunks(bytes), {source: 'x', limits: {...LIMITS.row, bytes: 100}, problems}),
    )
    expect(rows.map(({row}) => row)).toEqual([1, 5])
    expect(problems.kept.map(({row, line}) => [row, line])).toEqual([
      [2, 3],
      [3, 4],
      [4, 5],
    ])
    expect((await failureOf(read(Buffer.from('\ufeffa\n1\n', 'utf16le')))).message).toContain('UTF-8')
  })

  it.each([
    // A quote forgotten on one line, and one too many on another.
    ['from,to,amount,text\n1,2,5,"rent\n1,3,7,food\n1,4,8,gas"\n1,5,9,x\n', 2, 'text'],
    ['from,to,amount,text\n1,2,5,x\n"1,2,5,rent\n1,3,7,"\n', 3, 'from'],
    ['id,reason\n2001,"stolen\n2002,lost"\n', 2, 'reason'],
    ['id;a;b\n1;"x\r\n2;y;z";w\n', 2, 'a'],
    // In the first column the line that opens the quote is a row.
    ['text,from,to,amount\n"rent,1,2,5\nx",1,3,7\n', 2, 'text'],
    ['from,text,to,amount\n1,"rent,2,5\nx",3,7\n', 2, 'text'],
    ['from,text,to,amount\n1,"rent\n1,food",3,7\n', 2, 'text'],
    ['from,to,amount,text,note\n1,2,5,"rent\n1,3,7,gas,May 3\n1,4,8,food",x\n', 2, 'text'],
    // Rows without a text.
    ['from,to,amount,text\n1,2,5,"rent\n1,3,7\n"\n', 2, 'text'],
    ['from,to,amount,text\n1,2,5,"\n1,3,7"\n', 2, 'text'],
  ])('refuses a quoted value that swallowed rows: %j', async (text, line, column) => {
    const failure = await failureOf(read(text))
    expect(problemsOf(failure)[0]).toMatchObject({line, column})
    expect(JSON.stringify(failure.details.data)).toContain('closed on a later one')
  })

  it.each([
    'from,to,amount,text\n1,2,5,"May, June\nand 12, 13"\n',
    'from,to,amount,text\n1,2,5,"invoices\n12,13"\n',
    'from,to,amount,text\n1,2,5,"invoices\n12, 13, 14"\n',
    'from,to,amount,text,note\n1,2,5,"rent, May\nflat 3",ok\n',
    'name,from,to,amount\n"Anna\nBert",1,2,5\n',
    'name,from,to,amount\n"Anna,\nBert",1,2,5\n',
    'from,name,to,amount\n1,"Anna\nBert",2,5\n',
    'id,text,note\n1,"a\nb","c\nd"\n',
  ])('takes a line break within quotes: %j', async text => {
    expect(await read(text)).toHaveLength(1)
  })

  it('reads a quoted value over several lines of prose', async () => {
    const text = 'id,reason,note\n2001,"Stolen in Oslo,\nher bag, too",x\n2002,"a\n\nb, c",y\n'
    expect((await read(text)).map(({values}) => values.reason)).toEqual([
      'Stolen in Oslo,\nher bag, too',
      'a\n\nb, c',
    ])
  })

  it('gives up a quote that is never closed at the limit, and reads on behind it', async () => {
    const problems = new RowProblems({source: 'x'})
    const content = `a,b\n1,"open\n${'2,2\n'.repeat(100)}`
    const rows = await collect(
      readCsv(chunks(content), {source: 'x', limits: {...LIMITS.row, bytes: 60}, problems}),
    )
    expect(problems.kept).toHaveLength(1)
    expect(rows).toHaveLength(100)
  })

  it('reads back what the writer wrote', async () => {
    const value = fc.string({
      unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', ' ', "'", '=', 'ä', '😀', '\t', ';'),
    })
    const table = fc
      .uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), {minLength: 1, maxLength: 4})
      .chain(columns =>
        fc.tuple(
          fc.constant(columns),
          fc.array(fc.array(value, {minLength: columns.length, maxLength: columns.length}), {maxLength: 6}),
        ),
      )
    await fc.assert(
      fc.asyncProperty(table, fc.integer({min: 1, max: 40}), async ([columns, rows], size) => {
        const records = rows.map(row => Object.fromEntries(columns.map((name, at) => [name, row[at]])))
        const text = (await collect(writeCsv(records, {columns}))).join('')
        expect((await read(text, size)).map(({values}) => values)).toEqual(records)
      }),
      {numRuns: 200},
    )
  })

  it('meets any bytes with rows or a typed failure', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({maxLength: 80}), fc.integer({min: 1, max: 9}), async (bytes, size) => {
        const result = await read(bytes, size).catch((error: unknown) => error)
        expect(Array.isArray(result) || result instanceof Failure).toBe(true)
      }),
      {numRuns: 300},
    )
  })
})
