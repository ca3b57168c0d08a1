import {Failure} from '../errors/failure.ts'

export type Query = (value: unknown) => unknown

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
  return value => {
    try {
      return jmespath.TreeInterpreter.search(ast, value as never)
    } catch (error) {
      throw new Failure('USAGE', {
        message: `--query does not fit the result: ${reasonOf(error)}`,
        hint: 'Look at the result with -o json first.',
      })
    }
  }
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
