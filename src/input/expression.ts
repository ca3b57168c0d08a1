/** A JMESPath expression. */
export interface Expression {
  /** @throws Error if the expression doesn't fit the value. Its message may quote the value: see `misfit`. */
  search(value: unknown): unknown
  /** The names of fields in it. */
  readonly names: readonly string[]
}

/** @returns the expression, or what is wrong with it and where, counted from 1: `not understood at character 5, near 'x'`. */
export async function readExpression(text: string): Promise<Expression | string> {
  const jmespath = await import('@jmespath-community/jmespath')
  const compile = (part: string) => jmespath.compile(part)
  const tokenize = (part: string): readonly Token[] => jmespath.tokenize(part)
  if (errorOf(() => compile(text)) !== undefined) return misread(text, compile, tokenize)
  const known = jmespath.getRegisteredFunctions()
  const tokens = tokenize(text)
  const unknown = tokens.find(({type, value, start}, at) => {
    const isCall =
      type === 'UnquotedIdentifier' &&
      tokens[at + 1]?.type === 'Lparen' &&
      tokens[at + 1]?.start === start + String(value).length
    return isCall && !known.includes(String(value))
  })
  if (unknown !== undefined) return `there is no such function ${near(text, unknown.start)}`
  const names = tokens
    .filter(({type}, at) => {
      const next = tokens[at + 1]?.type
      // A function, or a name that the expression itself gives.
      return /^(?:Unq|Q)uotedIdentifier$/.test(type) && next !== 'Lparen' && next !== 'Colon'
    })
    .map(({value}) => String(value))
  const ast = compile(text)
  return {names, search: (value: unknown) => jmespath.TreeInterpreter.search(ast, value as never)}
}

interface Token {
  readonly type: string
  readonly value: unknown
  readonly start: number
}

type Compile = (text: string) => unknown
type Tokenize = (text: string) => readonly Token[]

function misread(text: string, compile: Compile, tokenize: Tokenize): string {
  const at = placeOfError(text, compile, tokenize)
  const number = /^-?[0-9.]+/.exec(text.slice(at))?.[0]
  const isCompared = /[=<>]\s*$/.test(text.slice(0, at))
  const reason =
    number !== undefined && isCompared ? `a number needs backticks, \`${number}\`,` : 'not understood'
  return `${reason} ${near(text, at)}`
}

function near(text: string, at: number): string {
  const rest = text.slice(at, at + 20)
  return rest === '' ? 'at its end' : `at character ${at + 1}, near '${rest}'`
}

/**
 * The library's errors have no position, so this tries prefixes of increasing length. A prefix that ends before the bad
 * token fails because it is incomplete; one that includes the token fails for another reason. The first such token is
 * the bad one.
 */
function placeOfError(expression: string, compile: Compile, tokenize: Tokenize): number {
  const tokens = longestTokens(expression, tokenize)
  if (tokens.end < expression.length) return tokens.end
  for (const [at, token] of tokens.found.entries()) {
    const end = tokens.found[at + 1]?.start ?? expression.length
    const message = errorOf(() => compile(expression.slice(0, end)))
    if (message !== undefined && !/EOF/.test(message)) return token.start
  }
  return expression.length
}

function longestTokens(expression: string, tokenize: Tokenize) {
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

/**
 * Why an expression doesn't fit a value. Type errors name only functions and types. Other errors may quote values, so
 * their messages are dropped.
 */
export function misfit(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  return /^Invalid type: [\w() ,|<>]+\.$/.test(message)
    ? message.replace(/^Invalid type: |\.$/g, '')
    : 'a function got a value it cannot take'
}
