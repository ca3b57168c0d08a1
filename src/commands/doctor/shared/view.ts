import {type DetailRow, labelledText} from '../../../output/detail.ts'
import {fieldAt, joined, listAt, textAt} from '../../../output/fields.ts'
import {bad, dim, ok, type Span, type Styled, strong, warn} from '../../../output/styled.ts'
import {type Line, lineWidth, spaces, wrap} from '../../../output/text-layout.ts'
import {blocks, paintedLines, sentence, type View, type ViewContext} from '../../../output/view.ts'

const AREAS = {
  machine: 'This machine',
  files: 'Files',
  profile: 'Profile',
  network: 'Network',
  service: 'Service',
  records: 'Records',
  terminal: 'Terminal',
}

/** The checks by area: one line each with the result and what to do. */
export const doctorView: View = (diagnosis, context) => {
  const checks = listAt(diagnosis, 'checks')
  const parts = Object.entries(AREAS).map(([area, heading]) => {
    const own = checks.filter(check => textAt(check, 'area') === area)
    const lines = own.map(check => checkLines(check, context))
    return own.length === 0 ? '' : [sentence([' ', strong(heading)], context), ...lines].join('\n')
  })
  return blocks(...parts, sentence([' ', ...summary(checks)], context))
}

const SIGNS: Readonly<Record<string, readonly [unicode: Span, ascii: Span]>> = {
  ok: [ok('✓'), ok('+')],
  warning: [warn('!'), warn('!')],
  problem: [bad('✗'), bad('x')],
  unchecked: [dim('-'), dim('-')],
}

/** Wide enough for the longest usual title. */
const TITLE = 16

/** For a screen reader: "Keyring: warning, it is locked". */
const SPOKEN: Readonly<Record<string, string>> = {unchecked: 'not checked'}

function spokenLines(check: unknown, context: ViewContext): string {
  const state = textAt(check, 'state')
  const rows: DetailRow[] = [
    [textAt(check, 'title'), joined([SPOKEN[state] ?? state, textAt(check, 'message')], ', ')],
    ['What to do', adviceOf(check)],
  ]
  return labelledText(rows, context)
}

const adviceOf = (check: unknown): string => String(fieldAt(check, 'advice') ?? '')

function checkLines(check: unknown, context: ViewContext): string {
  if (context.accessible === true) return spokenLines(check, context)
  const state = textAt(check, 'state')
  const [unicode, ascii] = SIGNS[state] ?? [dim('?'), dim('?')]
  const title = textAt(check, 'title')
  const message = textAt(check, 'message')
  const advice = adviceOf(check)
  const column = 5 + Math.max(TITLE, title.length)
  const besides = context.width - column >= 30
  const indent = besides ? column : 5
  const texts: Styled[] = [
    state === 'unchecked' ? dim(message) : message,
    ...(advice === '' ? [] : [[strong(context.ascii ? '> ' : '→ '), advice]]),
  ]
  const body = texts.flatMap(text => wrap(text, context.width - indent))
  const head: Line = [...wrap([' ', context.ascii ? ascii : unicode, ` ${title}`], context.width)].flat()
  const lines = besides
    ? body.map((line, at): Line => [...(at === 0 ? padded(head, indent) : spaces(indent)), ...line])
    : [head, ...body.map((line): Line => [...spaces(indent), ...line])]
  return paintedLines(lines, context)
}

function summary(checks: readonly unknown[]): Span[] {
  const count = (state: string): number => checks.filter(check => textAt(check, 'state') === state).length
  const problems = count('problem')
  const warnings = count('warning')
  const counts = [
    ...(problems === 0 ? [] : [bad(problems === 1 ? '1 problem' : `${problems} problems`)]),
    ...(warnings === 0 ? [] : [warn(warnings === 1 ? '1 warning' : `${warnings} warnings`)]),
  ]
  if (counts.length === 0) return [ok('No problem found.')]
  return counts.flatMap((span, at) => (at === 0 ? [span] : [{text: ', '}, span]))
}

const padded = (line: Line, width: number): Line => [...line, ...spaces(width - lineWidth(line))]
