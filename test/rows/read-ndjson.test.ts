import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {Failure} from '../../src/errors/failure.ts'
import {LIMITS} from '../../src/limits/limits.ts'
import {writeNdjson} from '../../src/output/write-rows.ts'
import {RowProblems} from '../../src/rows/problems.ts'
import {formatOfName, readNdjson, readRows} from '../../src/rows/read-rows.ts'
import {runs} from '../helpers/whole.ts'
import {chunks, collect} from './chunks.ts'

const readBoth = async (content: string, bytes?: number) => {
  const problems = new RowProblems({source: 'x'})
  const limit = bytes === undefined ? {} : {limits: {...LIMITS.row, bytes}}
  const rows = await collect(readNdjson(chunks(content), {source: 'x', problems, ...limit}))
  return {rows, problems: problems.kept}
}

describe('readNdjson', () => {
  it('gives objects with row and line numbers', async () => {
    expect(await readBoth('\ufeff{"a":1}\n\n  {"b":[2]}\r\n{"c":null}')).toEqual({
      rows: [
        {row: 1, line: 1, values: {a: 1}},
        {row: 2, line: 3, values: {b: [2]}},
        {row: 3, line: 4, values: {c: null}},
      ],
      problems: [],
    })
  })

  it('refuses a row with a field twice, at any depth and however it is written', async () => {
    const twice = [
      '{"a":1,"a":2}',
      '{"a":{"b":1,"b":1}}',
      '{"ab":1,"a\\u0062":2}',
      '{"a":[{"x":"\\"x\\":","x":1}]}',
    ]
    const {rows, problems} = await readBoth(twice.join('\n'))
    expect(rows).toEqual([])
    expect(problems.map(({message}) => message)).toEqual(
      twice.map(() => 'has a field twice; write each once'),
    )
  })

  it('reads a long text beside it', async () => {
    const line = JSON.stringify({a: 'x'.repeat(900_000)})
    expect((await readBoth(line)).problems).toEqual([])
  })

  it('takes any object with each field once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.object({withNullPrototype: false}), async value => {
        const line = JSON.stringify(value)
        const {problems} = await readBoth(line)
        expect(problems.filter(({message}) => message.includes('twice'))).toEqual([])
      }),
    )
  })

  it('names every bad row without quoting it', async () => {
    const {rows, problems} = await readBoth('{"a":4111111111111111"}\n7\n[{}]\n{"ok":1}\n"x"\nnull\n[')
    expect(rows.map(({row}) => row)).toEqual([4])
    expect(problems.map(({row, message}) => [row, message])).toEqual([
      [1, 'is not valid JSON'],
      [2, 'is not a JSON object'],
      [3, 'is a JSON array; give one object per line'],
      [5, 'is not a JSON object'],
      [6, 'is not a JSON object'],
      [7, 'is a JSON array; give one object per line'],
    ])
  })

  it('refuses numbers that a double would change, and only those', async () => {
    const kept = [
      '{"amount":123456789012345}',
      '{"a":9007199254740991}',
      '{"a":1e3}',
      '{"a":"12345678901234567"}',
      '{"a":0.000000000000000001}',
    ]
    expect((await readBoth(kept.join('\n'))).rows).toHaveLength(kept.length)
    const changed = [
      '{"amount":9007199254740993}',
      '{"amount":1234567890123.4567}',
      '{"amount":1e999}',
      '{"x":{"amount":[12345678901234567890]}}',
    ]
    const {problems} = await readBoth(changed.join('\n'))
    expect(problems.map(({row, column}) => [row, column])).toEqual([
      [1, 'amount'],
      [2, 'amount'],
      [3, 'amount'],
      [4, undefined],
    ])
  })

  it('limits length and depth', async () => {
    const {rows, problems} = await readBoth(
      `{"a":"${'x'.repeat(200)}"}\n${'{"a":'.repeat(70)}1${'}'.repeat(70)}\n{}`,
      1000,
    )
    expect(rows.map(({row}) => row)).toEqual([1, 3])
    expect(problems[0]?.message).toBe('is nested deeper than 64 levels')
    expect((await readBoth(`{"a":"${'x'.repeat(200)}"}`, 100)).problems[0]?.message).toBe(
      'is longer than 100 bytes',
    )
  })

  it('does not parse a line of too many values', async () => {
    const {rows, problems} = await readBoth(`{"a":[${'0,'.repeat(10_000)}0]}\n{"b":1}`)
    expect(rows.map(({row}) => row)).toEqual([2])
    expect(problems).toEqual([{row: 1, line: 1, message: 'holds more than 10000 values'}])
  })

  it('throws all bad rows after the last good one', async () => {
    const reader = readNdjson(chunks('{\n{"a":1}\n}\n'), {source: 'stdin'})
    expect((await reader.next()).value).toMatchObject({row: 2})
    const caught = await reader.next().catch((error: unknown) => error)
    expect(caught).toBeInstanceOf(Failure)
    expect(caught).toMatchObject({code: 'INPUT_INVALID', message: '2 rows of stdin cannot be used'})
  })

  it('reads back what the writer wrote', async () => {
    const object = fc.dictionary(
      fc.string(),
      fc.jsonValue({maxDepth: 2}).map(value => JSON.parse(JSON.stringify(value)) as unknown),
    )
    const exact = (value: unknown) => !/[\d.]{16}|\d[eE]/.test(JSON.stringify(value))
    await fc.assert(
      fc.asyncProperty(
        fc.array(object.filter(exact), {maxLength: 5}),
        fc.integer({min: 1, max: 30}),
        async (values, size) => {
          const text = (await collect(writeNdjson(values))).join('')
          const rows = await collect(readNdjson(chunks(text, size), {source: 'x'}))
          expect(JSON.stringify(rows.map(row => row.values))).toBe(JSON.stringify(values))
        },
      ),
      {numRuns: runs(200)},
    )
  })
})

describe('readRows', () => {
  it('recognises the format by the name or the first character', async () => {
    expect([
      formatOfName('a.CSV'),
      formatOfName('b.jsonl'),
      formatOfName('c.ndjson'),
      formatOfName('csv'),
    ]).toEqual(['csv', 'ndjson', 'ndjson', undefined])
    for (const size of [1, 100]) {
      expect(await collect(readRows(chunks('\n {"a":"1"}', size), {source: 'x'}))).toMatchObject([
        {values: {a: '1'}},
      ])
      expect(await collect(readRows(chunks('a\n1', size), {source: 'x'}))).toEqual([
        {row: 1, line: 2, values: {a: '1'}},
      ])
    }
    expect(await collect(readRows(chunks('{a}\n1'), {source: 'x', format: 'csv'}))).toMatchObject([
      {values: {'{a}': '1'}},
    ])
  })

  it('reads no further than it is asked to, and closes the source', async () => {
    let pulled = 0
    let closed = false
    async function* endless() {
      try {
        for (;;) {
          pulled += 1
          yield Buffer.from('{"a":1}\n')
        }
      } finally {
        closed = true
      }
    }
    for await (const row of readRows(endless(), {source: 'x'})) if (row.row === 3) break
    expect(pulled).toBeLessThan(6)
    expect(closed).toBe(true)
  })
})
