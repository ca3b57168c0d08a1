import {
  type DraftDialect,
  type DraftLine,
  type DraftRequest,
  type DraftRule,
  doubtsOf,
  isMapped,
} from './draft-form.ts'

/** A line of the file, and the part of the draft that it is of: `operation cards.get.v4`, `shape Card /status`. */
interface Written {
  readonly text: string
  readonly part: string
}

/** A draft as a YAML file, and which part of the draft each line is of. */
export interface WrittenDraft {
  readonly text: string
  /** The part that a line has, counted from 1. */
  partAt(line: number): string | undefined
}

/** @param left parts that are written as comments, with the reason. */
export function writeDraft(
  draft: DraftDialect,
  head: readonly string[],
  left: ReadonlyMap<string, string>,
): WrittenDraft {
  const lines: Written[] = []
  const add = (part: string, texts: readonly string[], isComment = false): void => {
    for (const text of texts) lines.push({text: isComment && text !== '' ? `# ${text}` : text, part})
  }
  add('', head)
  for (const {name, value, standing, why} of draft.settings) {
    const part = `setting ${name}`
    const reason = left.get(part)
    const isLeft = standing !== 'sure' || reason !== undefined
    add(
      part,
      [
        `${typeof value === 'string' ? `${name}: ${scalar(value)}` : `${name}: ${flow(value)}`}${note(isLeft ? 'unsure' : standing, reason ?? why)}`,
      ],
      isLeft,
    )
  }
  const ids = draft.ids.filter(({kind}) => !left.has(`id ${kind}`))
  if (ids.length > 0) add('', ['ids:'])
  for (const {kind, pattern, why} of ids)
    add(`id ${kind}`, [`  ${kind}: ${JSON.stringify(pattern)}${note('sure', why)}`])
  const usable = new Map(
    [...draft.shapes].map(([name, all]) => [
      name,
      all.filter(({ours}) => !left.has(`shape ${name} ${ours}`)),
    ]),
  )
  for (const name of usable.keys()) if (left.has(`shape ${name}`)) usable.set(name, [])
  const isEmpty = (name: string): boolean => usable.get(name)?.some(isMapped) !== true
  if ([...usable.keys()].some(name => !isEmpty(name))) add('', ['', 'shapes:'])
  for (const [name, all] of draft.shapes) {
    const part = `shape ${name}`
    add(part, [`  ${scalar(name)}:`], isEmpty(name))
    for (const line of all) {
      const reason = left.get(`${part} ${line.ours}`)
      add(`${part} ${line.ours}`, lineTexts(line, '    ', isEmpty(name) || reason !== undefined, reason))
    }
    const nowhere = all.filter(({at}) => at === undefined).map(({ours}) => ours)
    add(part, missing(nowhere, '    '))
  }
  add('', ['', 'operations:'])
  for (const {id, requests} of draft.operations) {
    const part = `operation ${id}`
    const doubts = requests.map(request => [
      ...(request.standing === 'sure' ? [] : [request.why]),
      ...doubtsOf(request, {shapes: usable}),
    ])
    const reason = left.get(part)
    const isLeft = reason !== undefined || doubts.every(why => why.length > 0)
    if (reason !== undefined) add(part, [`  # unsure: ${plain(reason)}`])
    add(part, [`  ${id}:`], isLeft)
    for (const [at, request] of requests.entries()) {
      const why = doubts[at] ?? []
      add(part, requestTexts(request, why, requests.length > 1), isLeft || why.length > 0)
    }
    const lines = requests.flatMap(({input}) => input)
    const unplaced = lines.filter(({ours}) => !lines.some(one => one.ours === ours && one.at !== undefined))
    add(
      part,
      missing(
        unplaced.map(({ours}) => ours),
        '    ',
      ),
      isLeft,
    )
  }
  add('', ['', ...draft.missing.map(id => `# missing: ${id}: no request of the document seems to do it`)])
  return {text: `${lines.map(({text}) => text).join('\n')}\n`, partAt: line => lines[line - 1]?.part}
}

function requestTexts(
  {request, why, envelope, isPerhapsWhole, input, output}: DraftRequest,
  doubts: readonly string[],
  isOne: boolean,
): readonly string[] {
  const [first, rest] = isOne ? ['    - ', '      '] : ['    ', '    ']
  const block = (name: string, all: readonly DraftLine[]): readonly string[] => {
    const found = all.filter(({at}) => at !== undefined)
    return found.length === 0
      ? []
      : [
          `${rest}${found.some(isMapped) ? '' : '# '}${name}:`,
          ...found.flatMap(line => lineTexts(line, `${rest}  `, false)),
        ]
  }
  return [
    `    # ${doubts.length === 0 ? `sure: ${plain(why)}` : `unsure: ${plain(doubts.join('; '))}`}`,
    `${first}request: ${/^[A-Z]+ \/[\w./{}-]*$/.test(request) ? request : JSON.stringify(request)}`,
    ...(envelope === undefined ? [] : [`${rest}envelope: ${scalar(envelope)}`]),
    ...(isPerhapsWhole ? [`${rest}# pages: whole${note('unsure', 'no parameter chooses a page')}`] : []),
    ...block('input', input),
    ...block('output', output),
  ]
}

/** Members of ours for which nothing was found, in few lines. */
function missing(names: readonly string[], indent: string): readonly string[] {
  const all = [...new Set(names)]
  const lines = Array.from({length: Math.ceil(all.length / PER_LINE)}, (_, at) =>
    all.slice(at * PER_LINE, (at + 1) * PER_LINE),
  )
  return lines.map(some => `${indent}# missing: ${plain(some.join(', '))}`)
}
const PER_LINE = 8

/** A member: mapped, or as a comment. */
function lineTexts(line: DraftLine, indent: string, isLeft: boolean, reason?: string): readonly string[] {
  const {ours, at, rule, standing, why} = line
  const isComment = isLeft || !isMapped(line)
  const mark = isComment ? `${indent}# ` : indent
  if (at === undefined) return []
  const {items} = rule
  const said = note(reason === undefined ? standing : 'unsure', reason ?? why)
  if (items === undefined || rule.shape !== undefined || items.length === 0) {
    return [`${mark}${scalar(ours)}: ${ruleText(at, rule)}${said}`]
  }
  return [
    `${mark}${scalar(ours)}:${said}`,
    `${mark}  at: ${scalar(at)}`,
    `${mark}  items:`,
    ...items.flatMap(item => lineTexts(item, isComment ? `${mark}    ` : `${indent}    `, isComment)),
  ]
}

const note = (standing: string, why: string): string => ` # ${standing}: ${plain(why)}`

/** Where a member is and how it is written, as in a dialect: `{at: /expires, as: YYYY-MM}`. */
export function ruleText(at: string, {items, shape, ...form}: DraftRule): string {
  const named = shape === undefined ? form : items === undefined ? {...form, shape} : {...form, items: shape}
  return Object.keys(named).length === 0 ? scalar(at) : flow({at, ...named})
}

/** A text of the document in a comment: one line, and not long. */
const plain = (text: string): string => text.replace(/[^\p{L}\p{N}\p{P}\p{S} ]+/gu, ' ').slice(0, 300)

const WORD = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z/][\w./:-]*(?<!:)$/i

const scalar = (text: string): string => (WORD.test(text) ? text : JSON.stringify(text))

const flow = (value: Readonly<Record<string, unknown>> | Pick<DraftRule, 'as'>): string =>
  `{${Object.entries(value)
    .map(
      ([name, one]) =>
        `${scalar(name)}: ${typeof one === 'object' && one !== null ? flow(one as Readonly<Record<string, unknown>>) : typeof one === 'string' ? scalar(one) : String(one)}`,
    )
    .join(', ')}}`
