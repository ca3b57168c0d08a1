import * as Flags from '@oclif/core/flags'
import {Failure} from '../../../errors/failure.ts'
import {nearestName} from '../../../errors/nearest-name.ts'
import {exitOf} from '../../../errors/registry.ts'
import {readDuration} from '../../../limits/duration.ts'
import {
  type Check,
  compileExpectation,
  type Expectation,
  type ExpectSpec,
  type Sent,
  specOf,
} from '../../../webhook/suite/index.ts'

export const expectFlag = Flags.string({
  multiple: true,
  multipleNonGreedy: true,
  helpValue: 'approved|declined|code=51|…',
  summary: `What the answer must be: a decision such as approved, declined 51, partial 80 EUR; or code=, amount=, within=, status=, query=. Repeatable; exits with ${exitOf('EXPECTATION_FAILED')} if one differs.`,
})

const FIELDS = ['decision', 'code', 'amount', 'within', 'status', 'query'] as const

/** @throws Failure USAGE for what no answer can be compared with */
export async function parseExpectations(texts: readonly string[]): Promise<readonly Expectation[]> {
  if (texts.length === 0) return []
  const all = texts.map(async text => {
    const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? []
    const spec = name === undefined ? specOf(text) : fieldOf(name, value)
    const report = (_pointer: string, message: string) => {
      throw new Failure('USAGE', {message: `--expect ${text}: ${message}${message.endsWith('?') ? '' : '.'}`})
    }
    if (spec.amount !== undefined && !/^\d+(\.\d+)? [A-Z]{3}$/.test(String(spec.amount))) {
      report('', 'an amount has its currency, such as 12.50 EUR')
    }
    if (spec.within !== undefined && readDuration(spec.within) === undefined) {
      report('', 'a time is a number with ms or s, such as 500ms')
    }
    return compileExpectation(spec, {pointer: '', report})
  })
  return (await Promise.all(all)).flat()
}

function fieldOf(name: string, value: string): ExpectSpec {
  const field = FIELDS.find(each => each === name)
  if (field !== undefined) return {[field]: value}
  const meant = nearestName(name, FIELDS)
  throw new Failure('USAGE', {
    message: `--expect takes a decision, or ${FIELDS.map(each => `${each}=`).join(', ')}.${meant === undefined ? '' : ` Did you mean ${meant}=?`}`,
  })
}

/** What was expected of an answer, and what came. */
export const checkAnswer = (expectations: readonly Expectation[], sent: Sent): readonly Check[] =>
  expectations.map(({what, expected, test}) => ({what, expected, ...test(sent, () => undefined)}))
