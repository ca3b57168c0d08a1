import type {Document, Node} from 'yaml'
import {pointerSteps} from '../contract/schema.ts'
import {placeIn} from '../input/json-fault.ts'
import {exceededLimit, LIMITS} from '../limits/limits.ts'
import {maskText} from '../sensitive/mask-text.ts'

/** Both from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A problem in a file. */
export interface Issue extends Position {
  /** A sentence without a full stop. */
  readonly message: string
}

export interface ParsedText {
  readonly value: unknown
  readonly problems: readonly Issue[]
  /** The position of the value of a JSON pointer, or of its key. For a missing value, the start of its parent. */
  at(pointer: string, what?: 'key'): Position
  /** The value of a JSON pointer as written there, without quotes; undefined if there is none, and for an alias. */
  written(pointer: string): string | undefined
}

const START: Position = {line: 1, column: 1}

const SEVERAL = 'a second document begins here: put everything into one, without --- between them'

/** Reads YAML, which includes JSON. The parser is loaded on first use. */
export async function parseText(text: string): Promise<ParsedText> {
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  // Brackets and commas mean the same in YAML as in JSON, or are text.
  const beyond = exceededLimit(text, LIMITS.rules)
  if (beyond) {
    const message = `the file ${beyond.why}`
    return {
      value: undefined,
      problems: [{...placeIn(text, beyond.at), message}],
      at: () => START,
      written: () => undefined,
    }
  }
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    // What it would warn about on stderr is in `warnings`.
    logLevel: 'error',
    // The library's own search for repeated names compares each name with all before it.
    uniqueKeys: false,
  })
  const position = (offset: number): Position => {
    const {line, col} = lines.linePos(offset)
    return {line: Math.max(1, line), column: Math.max(1, col)}
  }
  const problems: Issue[] = [...document.errors, ...document.warnings].map(
    ({pos: [offset], code, message}) => ({
      ...position(offset),
      message: code === 'MULTIPLE_DOCS' ? SEVERAL : (message.split('\n', 1)[0] ?? ''),
    }),
  )
  yaml.visit(document, {
    Alias: (_key, alias) => {
      if (alias.resolve(document)) return
      problems.push({...position(alias.range?.[0] ?? 0), message: `unknown alias *${alias.source}`})
    },
    Map: (_key, {items}) => {
      const names = new Set<unknown>()
      for (const {key} of items) {
        if (!yaml.isScalar(key)) continue
        if (names.has(key.value)) {
          problems.push({...position(key.range?.[0] ?? 0), message: 'Map keys must be unique'})
        }
        names.add(key.value)
      }
    },
    Scalar: (_key, {value, source, range}, path) => {
      if (typeof value !== 'number' || source === undefined || String(value) === source) return
      // YAML reads 0742 as the number 742 and 12E4 as 120000, and a number of twenty digits loses some.
      if (!/^\d+$/.test(source) && (!/[a-z]/i.test(source) || isEndOfRange(yaml, path.at(-1)))) return
      const message = `YAML reads ${source} as the number ${value}: write "${source}" if it is text, else ${value}`
      problems.push({...position(range?.[0] ?? 0), message: maskText(message)})
    },
  })
  return {
    value: problems.length > 0 ? undefined : toValue(document, problems, position),
    problems,
    at: (pointer, what) => position(offsetOf(yaml, document, pointerSteps(pointer), what)),
    written: pointer => {
      const node = document.getIn(pointerSteps(pointer), true)
      return yaml.isScalar(node) ? node.source : undefined
    },
  }
}

/** Forms that are a number in any position. */
const isEndOfRange = ({isPair, isScalar}: typeof import('yaml'), node: unknown): boolean =>
  isPair(node) && isScalar(node.key) && /^(min|max|over|under)$/.test(String(node.key.value))

function toValue(document: Document, problems: Issue[], position: (offset: number) => Position): unknown {
  try {
    return document.toJS({maxAliasCount: 100})
  } catch {
    problems.push({...position(0), message: 'the aliases of the file expand too far'})
    return undefined
  }
}

function offsetOf(
  {isMap, isSeq, isScalar, isAlias}: typeof import('yaml'),
  document: Document,
  steps: readonly string[],
  what: 'key' | undefined,
): number {
  let node: unknown = document.contents
  let offset = (document.contents as Node | null)?.range?.[0] ?? 0
  for (const [depth, step] of steps.entries()) {
    if (isAlias(node)) node = node.resolve(document)
    const pair = isMap(node)
      ? node.items.find(({key}) => String(isScalar(key) ? key.value : key) === step)
      : undefined
    const next: unknown = pair ? pair.value : isSeq(node) ? node.items[Number(step)] : undefined
    const isLast = depth === steps.length - 1
    const shown = pair && ((isLast && what === 'key') || !next) ? pair.key : next
    if (!shown) break
    offset = (shown as Node).range?.[0] ?? offset
    node = next
  }
  return offset
}
