import process from 'node:process'
import type {Context} from '../../../cli/context.ts'
import {mayRedraw} from '../../../output/terminal.ts'
import type {PendingCalls, Question} from '../../../webhook/index.ts'
import {type AskState, canBePartial, type Numbered, press, refused, stillShown} from './ask-keys.ts'
import {type AskView, askView, goneView} from './ask-view.ts'

const REDRAW_MS = 100

/** How long a newly shown call ignores keys: they were meant for the previous call. */
const MEANT_MS = 250

const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9]
const INTERRUPT = '\u0003'

/** Whether cardctl can ask in the terminal: it must be able to redraw a line and read keys. */
export const canAskInTerminal = ({interactive, flags, surroundings: {env}}: Context): boolean =>
  interactive && flags.quiet !== true && mayRedraw(env)

/**
 * Shows waiting calls in one line of the terminal, with the remaining time, and answers by key. Returns a function that
 * ends this and restores the terminal.
 */
export function askInTerminal({surroundings, printer}: Context, pendingCalls: PendingCalls): () => void {
  const {stdin, now, pid} = surroundings
  const status = printer.status()
  const numbers = new Map<string, number>()
  let state: AskState = {}
  let shownSince = 0
  let timer: NodeJS.Timeout | undefined

  const waiting = (): readonly Numbered[] =>
    pendingCalls.waiting().map(question => ({question, number: numbers.get(question.event)}))

  function show(next: AskState): void {
    if (next.shown !== state.shown) shownSince = now()
    state = next
    draw()
  }

  function draw(): void {
    const all = waiting()
    const found = all.find(({question}) => question.event === state.shown)
    if (found) status.show(() => [askView(viewOf(found, all, state), now(), status.width)])
    else if (state.entry) status.show(() => [goneView(all.length)])
    else status.clear()
  }

  function changed(): void {
    giveNumbers(numbers, pendingCalls.waiting())
    const all = waiting()
    show(stillShown(state, all))
    if (all.length > 0) timer ??= setInterval(draw, REDRAW_MS)
    else stopTimer()
  }

  function stopTimer(): void {
    clearInterval(timer)
    timer = undefined
  }

  function onKey(key: string): void {
    // In raw mode, the terminal sends Ctrl-C as a character.
    if (key === INTERRUPT) return void process.kill(pid, 'SIGINT')
    if (now() - shownSince < MEANT_MS) return
    const {state: next, answer} = press(key, state, waiting())
    show(next)
    if (!answer) return
    const {question, choice} = answer
    pendingCalls.answer(question.event, choice, 'terminal').then(
      fault => fault !== undefined && refuse(question, fault),
      () => refuse(question, 'the answer could not be checked'),
    )
  }

  function refuse({event, summary}: Question, fault: string): void {
    printer.warn(`${summary.merchant}: ${fault}`)
    show(refused(state, event))
  }

  const onData = (chunk: Buffer | string) => {
    const text = chunk.toString()
    // Arrow keys and the like arrive as several characters that begin with Escape.
    if (text.startsWith('\u001b') && text.length > 1) return
    for (const key of text) onKey(key)
  }
  const unsubscribe = pendingCalls.subscribe(changed)
  stdin.setRawMode?.(true)
  stdin.on('data', onData)
  stdin.resume()
  return () => {
    unsubscribe()
    stopTimer()
    stdin.off('data', onData)
    stdin.setRawMode?.(false)
    stdin.pause()
    status.clear()
  }
}

/** Gives each call without a number the smallest free one. Beyond nine, a call has no key. */
function giveNumbers(numbers: Map<string, number>, questions: readonly Question[]): void {
  const events = questions.map(({event}) => event)
  for (const event of numbers.keys()) if (!events.includes(event)) numbers.delete(event)
  for (const event of events) {
    const taken = new Set(numbers.values())
    const free = NUMBERS.find(number => !taken.has(number))
    if (!numbers.has(event) && free !== undefined) numbers.set(event, free)
  }
}

function viewOf({question, number}: Numbered, all: readonly Numbered[], {entry}: AskState): AskView {
  const {summary, at, until} = question
  return {
    ...summary,
    at,
    until,
    number,
    others: all.flatMap(other => (other.question === question ? [] : [other.number])),
    partial: canBePartial(question),
    entry,
  }
}
