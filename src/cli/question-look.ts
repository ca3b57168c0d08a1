import {paintFor} from '../output/styled.ts'
import {colourLevel, glyphsFor, isAsciiOnly} from '../output/terminal.ts'
import {paintLine, wrapProse} from '../output/text-layout.ts'
import type {Question} from './question.ts'
import type {Surroundings} from './surroundings.ts'

type Key = readonly [key: string, action: string]

const ASCII_KEYS: Readonly<Record<string, string>> = {'↑↓': 'Up Down', '⏎': 'Enter'}
const ASCII_SIGNS = {
  prefix: {idle: '?', done: '*'},
  spinner: {interval: 100, frames: glyphsFor(true).spinner},
  icon: {cursor: '>', checked: '[x]', unchecked: '[ ]'},
}

/**
 * How a list is drawn: in ASCII where that is needed, and with all its keys below it.
 *
 * @param typing what typing does, if anything
 */
export function listTheme(
  {env, stderr: {columns = 80}}: Surroundings,
  {typing, goesBack}: {readonly typing?: string | undefined; readonly goesBack: boolean},
): object {
  const isAscii = isAsciiOnly(env)
  const keysHelpTip = (keys: readonly Key[]): string => {
    const named = keys.map(([key, action]) => `${isAscii ? (ASCII_KEYS[key] ?? key) : key} ${action}`)
    const parts = [typing, ...named, goesBack ? 'Esc back' : undefined].filter(part => part !== undefined)
    return broken(parts, isAscii ? ', ' : ' • ', columns - 1)
  }
  return {style: {keysHelpTip}, ...(isAscii ? ASCII_SIGNS : {})}
}

/** Joins the parts in lines of at most `width` columns. */
function broken(parts: readonly string[], separator: string, width: number): string {
  return parts.reduce((text, part) => {
    const last = text.slice(text.lastIndexOf('\n') + 1)
    return text + (last.length + separator.length + part.length > width ? '\n' : separator) + part
  })
}

/** A question in lines that are broken between words, with room for the sign before it. */
export function questionText(message: string, {stderr: {columns = 80}}: Surroundings): string {
  return wrapProse(message, Math.max(20, columns - 3))
    .map(line => paintLine(line, ({text}) => text))
    .join('\n')
}

/** What stays on the screen of a question: the question and its answer, if it got one. */
export function doneText(
  question: Question,
  answer: {readonly value: unknown} | undefined,
  {env, stderr}: Surroundings,
): string {
  const paint = paintFor(colourLevel(env, stderr))
  const done = isAsciiOnly(env) ? '*' : '✔'
  const message = {text: String(question.message), style: 'strong'} as const
  const styled =
    answer === undefined
      ? [{text: '?', style: 'busy'} as const, ' ', message]
      : [
          {text: done, style: 'ok'} as const,
          ' ',
          message,
          ' ',
          {text: answerWords(question, answer.value), style: 'busy'} as const,
        ]
  return wrapProse(styled, (stderr.columns ?? 80) - 1)
    .map(line => `${paintLine(line, paint)}\n`)
    .join('')
}

function answerWords({type, choices}: Question, value: unknown): string {
  if (type === 'confirm') return value === true ? 'Yes' : 'No'
  const named = Array.isArray(choices) ? (choices as readonly {value: unknown; short?: string}[]) : []
  const nameOf = (one: unknown) => named.find(choice => choice.value === one)?.short ?? String(one)
  return [value].flat().map(nameOf).join(', ')
}
