import type {Readable} from 'node:stream'
import type {Question} from './question-look.ts'

type Source = (typed: string | undefined) => unknown

/**
 * Keeps an Enter that comes while a list is being searched, as the end of pasted text does, until the list is there.
 * Inquirer ignores it. Of several pasted lines only the first is an answer.
 */
export class HeldEnter {
  readonly #stdin: Readable
  #typed = ''
  #searches = 0
  /** What was typed before the Enter. */
  #held: string | undefined
  #isOpen = true

  constructor(stdin: Readable) {
    this.#stdin = stdin
    stdin.on('keypress', this.#onKey)
  }

  /** The question whose list tells when it is searched. */
  watched(question: Question): Question {
    const {source} = question
    if (typeof source !== 'function') return question
    const search = (typed: string | undefined): unknown => {
      this.#typed = typed ?? ''
      this.#searches++
      // Inquirer shows the choices in a microtask.
      setImmediate(() => this.#onSearched())
      return (source as Source)(typed)
    }
    return {...question, source: search}
  }

  /** After it nothing is typed any more. */
  leave(): void {
    this.#isOpen = false
    this.#stdin.off('keypress', this.#onKey)
  }

  readonly #onKey = (_: unknown, key?: {readonly name?: string}): void => {
    if (this.#searches > 0 && (key?.name === 'return' || key?.name === 'enter')) this.#held ??= this.#typed
  }

  #onSearched(): void {
    this.#searches--
    const held = this.#held
    if (held === undefined || this.#searches > 0 || !this.#isOpen) return
    if (this.#typed === held) {
      this.#held = undefined
      this.#press('\r', {name: 'return'})
    } else {
      this.#press('\u0015', {name: 'u', ctrl: true})
      this.#press(held, {})
    }
  }

  #press(text: string, key: object): void {
    this.#stdin.emit('keypress', text, {sequence: text, ...key})
  }
}
