import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {describeGroup, type ProblemGroup, type RowProblem} from '../../src/rows/problem-groups.ts'
import {RowProblems, shownValue} from '../../src/rows/problems.ts'

function groupsOf(problems: readonly RowProblem[]): readonly ProblemGroup[] {
  const all = new RowProblems({source: 'x.csv'})
  for (const problem of problems) all.add(problem)
  return all.toFailure().details.data?.groups as readonly ProblemGroup[]
}

const at = (row: number, more: Partial<RowProblem> = {}): RowProblem => ({
  row,
  line: row + 1,
  column: 'amount',
  message: 'has 3 decimals',
  ...more,
})

describe('groups of faults', () => {
  it('have a line each, with runs of lines and some values', () => {
    const [group] = groupsOf([4, 12, 19, 20, 21, 30, 40, 41].map(row => at(row, {value: `${row}.125`})))
    expect(group && describeGroup(group)).toBe(
      "8 rows (lines 5, 13, 20 to 22, 31, 41, 42), amount: has 3 decimals ('4.125', '12.125', '19.125', …)",
    )
  })

  it('name five places at most', () => {
    const [group] = groupsOf([1, 3, 5, 7, 9, 11, 13].map(row => at(row)))
    expect(group && describeGroup(group)).toBe(
      '7 rows (lines 2, 4, 6, 8, 10 and 2 more), amount: has 3 decimals',
    )
  })

  it('are one for each column and kind, in the order of the rows', () => {
    const groups = groupsOf([
      at(1, {message: 'may be 1.5', kind: 'thousands'}),
      at(1, {column: 'currency'}),
      at(2, {message: 'may be 2.5', kind: 'thousands'}),
      at(3, {message: 'is missing'}),
    ])
    expect(groups.map(({column, message, count, rows}) => [column, message, count, rows])).toEqual([
      ['amount', 'may be 1.5', 2, [1, 2]],
      ['currency', 'has 3 decimals', 1, [1]],
      ['amount', 'is missing', 1, [3]],
    ])
  })

  it('have every fault once, whatever they are', () => {
    const problem = fc.record({
      row: fc.integer({min: 1, max: 400}),
      column: fc.constantFrom('a', 'b'),
      message: fc.constantFrom('x', 'y', 'z'),
    })
    fc.assert(
      fc.property(fc.array(problem, {minLength: 1}), problems => {
        const sorted = problems.toSorted((a, b) => a.row - b.row)
        const told = groupsOf(sorted).flatMap(({column, message, rows}) =>
          rows.map(row => JSON.stringify({row, column, message})),
        )
        expect(told.sort()).toEqual(sorted.map(one => JSON.stringify(one)).sort())
      }),
    )
  })

  it('are bounded in number, and the count is not', () => {
    const failure = new RowProblems({source: 'x.csv'})
    for (let row = 1; row <= 20_000; row++) failure.add(at(row, {message: row > 10_500 ? `m${row}` : 'm'}))
    const {groups, count} = failure.toFailure().details.data as {groups: ProblemGroup[]; count: number}
    expect(count).toBe(20_000)
    expect(groups).toHaveLength(50)
    expect(groups[0]).toMatchObject({count: 10_500})
    expect(groups[0]?.rows).toHaveLength(10_000)
  })
})

it.each(['1.250,00', '-30', '(10.00)', "1'250.50", '1 250,00', '100,-'])('%s may be shown', text => {
  expect(shownValue(` ${text} `)).toBe(text)
})

it.each(['1234', '4111111111111111', '4111 1111 1111 1111', 'VerySecret,1', 'hunter2', '', '-', undefined])(
  '%s may not be shown',
  text => {
    expect(shownValue(text)).toBeUndefined()
  },
)
