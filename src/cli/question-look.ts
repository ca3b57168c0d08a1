import {paintFor} from '../output/styled.ts'
import {colourLevel, glyphsFor, isAsciiOnly} from '../output/terminal.ts'
import {paintLine, wrapProse} from '../output/text-layout.ts'
import type {Surroundings} from './surroundings.ts'

export type Check = (answer: string) => true | string | Promise<true | string>

export type Question = Readonly<Record<string, unknown>>

/** Keeps the name of a key beside what it does. */
export const NO_BREAK = '\u00a0'

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
  {env, stderr}: Surroundings,
  {typing, goesBack}: {readonly typing?: string | undefined; readonly goesBack: boolean},
): object {
  const isAscii = isAsciiOnly(env)
  const keysHelpTip = (keys: readonly Key[]): string => {
    const named = keys.map(([key, action]) => `${isAscii ? (ASCII_KEYS[key] ?? key) : key} ${action}`)
    const parts = [typing, ...named, goesBack ? 'Esc back' : undefined].filter(part => part !== undefined)
    return parts.map(part => part.replaceAll(' ', NO_BREAK)).join(isAscii ? ', ' : ' • ')
  }
  const paint = paintFor(colourLevel(env, stderr))
  // In ASCII, inquirer's sign of an error is that of the chosen line.
  const error = (text: string): string => paint({text: `! ${text}`, style: 'bad'})
  return {style: {keysHelpTip, ...(isAscii ? {error} : {})}, ...(isAscii ? ASCII_SIGNS : {})}
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
