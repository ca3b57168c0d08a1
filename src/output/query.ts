import {Failure} from '../errors/failure.ts'
import {meantName} from '../errors/nearest-name.ts'

export interface Query {
  (value: unknown): unknown
  /** Why nothing was found in a value, for a person; undefined if the value itself is empty. */
  whyNothing(value: unknown): string | undefined
}

/**
 * Compiles a JMESPath expression, so that a bad one is reported before any request is sent.
 *
 * @throws Failure USAGE with the position (from 1) of the syntax error. The compiled query throws USAGE if the
 * expression doesn't fit the value; the message never quotes the value.
 */
export async function compileQuery(expression: string): Promise<Query> {
  const jmespath = await import('@jmespath-community/jmespath')
  const check = (text: string) => jmespath.compile(text)
  try {
    check(expression)
  } catch {
    throw misread(
      expression,
      placeOfError(expression, check, text => jmespath.tokenize(text)),
    )
  }
  const known = jmespath.getRegisteredFunctions()
  const unknown = jmespath.tokenize(expression).find(({type, value, start}, at, tokens) => {
    const isCall =
      type === 'UnquotedIdentifier' &&
      tokens[at + 1]?.type === 'Lparen' &&
      tokens[at + 1]?.start === start + String(value).length
    return isCall && !known.includes(String(value))
  })
  if (unknown !== undefined) throw misread(expression, unknown.start, 'there is no such function')
  const ast = check(expression)
  const names = jmespath
    .tokenize(expression)
    .filter(({type}, at, tokens) => {
      const next = tokens[at + 1]?.type
      // A function, or a name that the expression itself gives.
      return /^(?:Unq|Q)uotedIdentifier$/.test(type) && next !== 'Lparen' && next !== 'Colon'
    })
    .map(({value}) => String(value))
  const search = (value: unknown): unknown => {
    try {
      return jmespath.TreeInterpreter.search(ast, value as never)
    } catch (error) {
      throw new Failure('USAGE', {
        message: `--query does not fit the result: ${reasonOf(error)}`,
        hint: 'Look at the result with -o json first.',
      })
    }
  }
  return Object.assign(search, {whyNothing: (value: unknown) => whyNothing(names, value)})
}

function whyNothing(names: readonly string[], value: unknown): string | undefined {
  if (value === null || typeof value !== 'object' || Object.keys(value).length === 0) return undefined
  const known = [...new Set(namesIn(value))]
  const unknown = names.find(name => !known.includes(name))
  if (unknown === undefined) return '--query matches nothing in the result.'
  const meant = meantName(unknown, known)
  const top = Object.keys((Array.isArray(value) ? value[0] : value) ?? {})
  const fields = `It has ${top.slice(0, MOST_NAMES).join(', ')}${top.length > MOST_NAMES ? ' …' : ''}.`
  return `--query found nothing: the result has no field ${unknown}.${meant === undefined ? '' : ` Did you mean ${meant}?`}${top.length === 0 ? '' : ` ${fields}`}`
}

const MOST_NAMES = 12

/** The names of all fields, at any depth. */
function* namesIn(value: unknown): Generator<string> {
  if (value === null || typeof value !== 'object') return
  if (!Array.isArray(value)) yield* Object.keys(value)
  for (const part of Object.values(value)) yield* namesIn(part)
}

function misread(expression: string, at: number, reason?: string): Failure {
  const rest = expression.slice(at, at + 20)
  const near = rest === '' ? 'at its end' : `at character ${at + 1}, near '${rest}'`
  return new Failure('USAGE', {
    message: `--query is not a JMESPath expression: ${reason ?? 'not understood'} ${near}`,
    hint: 'An example: --query "[?status==\'CARD_OK\'].id". See jmespath.site.',
  })
}

/**
 * The library's errors have no position, so this tries prefixes of increasing length. A prefix that ends before the bad
 * token fails because it is incomplete; one that includes the token fails for another reason. The first such token is
 * the bad one.
 */
function placeOfError(
  expression: string,
  compile: (text: string) => unknown,
  tokenize: (text: string) => readonly {start: number}[],
): number {
  const tokens = longestTokens(expression, tokenize)
  if (tokens.end < expression.length) return tokens.end
  for (const [at, token] of tokens.found.entries()) {
    const end = tokens.found[at + 1]?.start ?? expression.length
    const message = errorOf(() => compile(expression.slice(0, end)))
    if (message !== undefined && !/EOF/.test(message)) return token.start
  }
  return expression.length
}

function longestTokens(expression: string, tokenize: (text: string) => readonly {start: number}[]) {
  for (let end = expression.length; end > 0; end--) {
    const prefix = expression.slice(0, end)
    if (errorOf(() => tokenize(prefix)) === undefined) {
      return {end, found: tokenize(prefix).filter(({start}) => start < end)}
    }
  }
  return {end: 0, found: []}
}

function errorOf(act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

/** Type errors name only functions and types. Other errors may quote values, so their messages are dropped. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  return /^Invalid type: [\w() ,|<>]+\.$/.test(message)
    ? message.replace(/^Invalid type: |\.$/g, '')
    : 'a function got a value it cannot take'
}
