import {isObject} from '../../errors/is-object.ts'
import type {Position} from '../../user-files/index.ts'
import {substitute, Unknown, valueAtPath} from './variables.ts'

interface Expanded {
  readonly value: unknown
  /** The place in the file, where the step of a case is written once for all. */
  at(pointer: string, what?: 'key'): Position
  /** The place of a step, or of its row in the table of cases. */
  stepAt(index: number): Position
}

/** One step for each row of a table of cases. Places stay those of the file. */
export function expandCases(value: unknown, at: Expanded['at']): Expanded {
  const origins: string[][] = []
  const origin = (index: number | string): readonly string[] => origins[Number(index)] ?? [String(index)]
  const stepAt = (index: number): Position => at(['', 'steps', ...origin(index)].join('/'))
  if (!isObject(value) || !Array.isArray(value.steps)) return {value, at, stepAt}
  const steps = value.steps.flatMap((step: unknown, index) => {
    const rows = isObject(step) && Array.isArray(step.cases) ? step.cases : []
    if (!isObject(step) || !rows.some(isObject)) {
      origins.push([String(index)])
      return [step]
    }
    return [...rows.entries()].flatMap(([number, row]) => {
      if (!isObject(row)) return []
      origins.push([String(index), 'cases', String(number)])
      const {name} = step
      const isNamed = typeof name === 'string' && /\$\{\s*case\./.test(name)
      const numbered = typeof name === 'string' && !isNamed ? {name: `${name} ${number + 1}`} : {}
      return [inCase({...step, ...numbered}, row)]
    })
  })
  return {
    value: {...value, steps},
    at: (pointer, what) => {
      const [, first, index = '', ...rest] = pointer.split('/')
      if (first !== 'steps' || index === '') return at(pointer, what)
      return at(['', 'steps', origin(index)[0] ?? index, ...rest].join('/'), what)
    },
    stepAt,
  }
}

function inCase(step: Readonly<Record<string, unknown>>, row: Readonly<Record<string, unknown>>): unknown {
  const look = (variable: string) =>
    variable.startsWith('case.') ? valueAtPath(row, variable.slice('case.'.length)) : undefined
  try {
    const {cases: _, ...rest} = step
    return substitute(rest, look)
  } catch (error) {
    if (error instanceof Unknown) return step
    throw error
  }
}
