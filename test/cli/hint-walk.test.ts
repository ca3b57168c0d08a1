// Every command that a source suggests exists and takes its arguments. Each is built by `cardctl`, `commandLine`,
// `typedLine` or `nameNext`, so the sources are read for their calls.
import {globSync, readFileSync} from 'node:fs'
import ts from 'typescript'
import {expect, test} from 'vitest'
import {COMMAND_EFFECTS, effectOf} from '../../src/cli/command-effects.ts'
import {commands} from '../../src/commands/index.ts'
import {Advice} from '../../src/errors/advice.ts'
import {Failure} from '../../src/errors/failure.ts'
import {type ErrorCode, errorRegistry} from '../../src/errors/registry.ts'
import {SuggestedCommand} from '../../src/errors/suggested-command.ts'
import {errorLines} from '../../src/output/format-error.ts'
import {spansOf} from '../../src/output/styled.ts'
import {refusalOf} from '../helpers/suggested.ts'

interface Suggestion {
  readonly place: string
  readonly argv: readonly string[]
  /** Values that only a run knows, so that the parser can't judge them. */
  readonly hasUnknown: boolean
  /** A list of more words, which only a run knows. */
  readonly hasMore: boolean
}

const BUILDERS = new Set(['cardctl', 'commandLine', 'typedLine', 'nameNext'])
const UNKNOWN = '3001'

function suggestionsIn(file: string): readonly Suggestion[] {
  const text = readFileSync(file, 'utf8')
  if (![...BUILDERS].some(name => text.includes(`${name}(`))) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: Suggestion[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && BUILDERS.has(nameOf(node.expression))) {
      const {line} = source.getLineAndCharacterOfPosition(node.getStart())
      for (const one of read(node)) found.push({place: `${file}:${line + 1}`, ...one})
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function nameOf(callee: ts.Expression): string {
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text
  return ts.isIdentifier(callee) ? callee.text : ''
}

/** The argument lists that a call may build: one for each branch of a condition. None if a run gives all words. */
function read(call: ts.CallExpression): readonly Omit<Suggestion, 'place'>[] {
  const [first] = call.arguments
  const skipped = nameOf(call.expression) === 'nameNext' ? 2 : 0
  const given =
    first !== undefined && ts.isArrayLiteralExpression(first) ? first.elements : call.arguments.slice(skipped)
  let lists: Omit<Suggestion, 'place'>[] = [
    {argv: [], hasUnknown: false, hasMore: given.some(ts.isSpreadElement)},
  ]
  for (const word of given) {
    const values = valuesOf(word)
    lists = lists.flatMap(({argv, hasUnknown, hasMore}) =>
      values.map(value => ({
        argv: [...argv, ...(value === '' ? [] : [value ?? UNKNOWN])],
        hasUnknown: hasUnknown || value === undefined,
        hasMore,
      })),
    )
  }
  return lists.filter(({argv}) => argv[0] !== undefined && /^([a-z]|--help$)/.test(argv[0]))
}

/** A text for each branch; undefined for what only a run knows, an empty text for a list that may be empty. */
function valuesOf(node: ts.Expression): readonly (string | undefined)[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isConditionalExpression(node)) return [...valuesOf(node.whenTrue), ...valuesOf(node.whenFalse)]
  if (ts.isSpreadElement(node)) return ['']
  if (ts.isObjectLiteralExpression(node)) {
    const [property] = node.properties
    return property !== undefined && ts.isPropertyAssignment(property)
      ? valuesOf(property.initializer)
      : [undefined]
  }
  if (ts.isTemplateExpression(node)) {
    const ends = node.templateSpans.map(({literal}) => `${UNKNOWN}${literal.text}`)
    return [node.head.text + ends.join('')]
  }
  return [undefined]
}

const sources = globSync('src/**/*.ts').map(file => file.replaceAll('\\', '/'))
const suggestions = sources.flatMap(suggestionsIn)

test('the sources suggest commands', () => {
  expect(suggestions.length).toBeGreaterThan(120)
})

test.each(suggestions.map(one => [`${one.place} ${one.argv.join(' ')}`, one] as const))(
  '%s',
  async (_, {argv, hasUnknown, hasMore}) => {
    const refusal = await refusalOf(argv)
    // Whether the real value fits is known only where it is run.
    const isAboutValue = hasUnknown && /^(?:Expected|The following error)/.test(refusal ?? '')
    const isCompleted = hasMore && /^Failure: /.test(refusal ?? '')
    expect(isAboutValue || isCompleted ? undefined : refusal).toBeUndefined()
  },
)

test('no hint names a command as text', () => {
  const ids = Object.keys(commands).filter(id => id.includes(':'))
  const name = new RegExp(
    `(?:hint|HINT): ['"\`][^'"\`\\n]*\\b(?:${ids.map(id => id.replaceAll(':', ' ')).join('|')})\\b(?![-:])`,
  )
  const byHand = sources.flatMap(file =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        name.test(line.replaceAll(/\$\{[^}]*\([^)]*\)\}/g, '')) ? [`${file}:${at + 1}: ${line.trim()}`] : [],
      ),
  )
  expect(byHand).toEqual([])
})

test('a command in a text that is a hint stays data', () => {
  const untagged = sources.flatMap(file => {
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.flatMap((line, at) =>
      /hint: `[^`]*\$\{(?:context\.|client\.|this\.context\.)?(?:cardctl|commandLine|typedLine)\(/.test(line)
        ? [`${file}:${at + 1}`]
        : [],
    )
  })
  expect(untagged).toEqual([])
})

test('the effect of every command is known', async () => {
  const listed = Object.values(COMMAND_EFFECTS).flat()
  expect(listed.filter((id, at) => listed.indexOf(id) !== at || !Object.hasOwn(commands, id))).toEqual([])
  for (const [id, load] of Object.entries(commands)) {
    const {
      claims = [],
      flags,
      baseFlags,
    } = (await load()).default as {
      claims?: readonly string[]
      flags?: object
      baseFlags?: object
    }
    const saysItself = claims.length > 0 || 'note' in {...baseFlags, ...flags}
    expect({id, listed: listed.includes(id)}).toEqual({id, listed: !saysItself})
  }
})

test.each([
  ['requests resolve r_1', 'write'],
  ['accounts block 2001 --type credit', 'write'],
  ['cards get 3001', 'read'],
  ['pin view 3001', 'write'],
  ['sandbox faults add', 'write'],
  ['bulk resume last', 'write'],
  ['accounts block --help', 'read'],
  ['requests retry r_1 --dry-run', 'read'],
])('the effect of %s is %s', async (line, effect) => {
  expect(await effectOf(new SuggestedCommand(line.split(' ')), commands)).toBe(effect)
})

const LOOSENING = /profiles edit|--allow-v2|--no-check-input|--unset|--no-read-only|--i-know/

test('no refusal by a profile or policy names what loosens it', () => {
  const hints = sources.flatMap(file => {
    const text = readFileSync(file, 'utf8')
    const calls = text.matchAll(/(?:new Failure\('GATE_REFUSED'|\brefused\()[\s\S]{0,600}?\n {0,6}\}?\)/g)
    return [...calls].map(([call]) => ({file, call}))
  })
  expect(hints.length).toBeGreaterThan(8)
  const named = hints.filter(({call}) =>
    LOOSENING.test(call.replaceAll(/', '/g, ' ').replace(/Leave out --no-check-input/, '')),
  )
  expect(named).toEqual([])
  const {GATE_REFUSED, CONFIRMATION_REQUIRED} = errorRegistry
  for (const {hint} of [GATE_REFUSED, CONFIRMATION_REQUIRED]) expect(String(hint)).not.toMatch(LOOSENING)
})

test('the registry has advice, and its commands are data', () => {
  const named = Object.values(errorRegistry).filter(({hint}) => (hint as Advice | string) instanceof Advice)
  expect(named.length).toBeGreaterThan(15)
})

test.each(Object.keys(errorRegistry) as ErrorCode[])('the commands of %s end their lines', code => {
  const failure = new Failure(code, {message: 'It failed.'})
  const lines = errorLines(failure).map(line =>
    spansOf(line)
      .map(({text}) => text)
      .join(''),
  )
  for (const command of failure.advice.commands)
    expect(lines.find(line => line.includes(String(command)))?.endsWith(String(command))).toBe(true)
})
