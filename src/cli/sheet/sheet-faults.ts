import {Failure} from '../../errors/failure.ts'

/**
 * What is wrong with a spreadsheet, found in one go: who corrects one fault a run sends the file again for each. A person
 * who is asked meets one at a time.
 */
export class SheetFaults {
  readonly #source: string
  readonly #isAsked: boolean
  readonly #found: Failure[] = []

  constructor({source, isAsked}: {readonly source: string; readonly isAsked: boolean}) {
    this.#source = source
    this.#isAsked = isAsked
  }

  get isEmpty(): boolean {
    return this.#found.length === 0
  }

  /** @throws Failure the same where a person is asked, or if it is not about the file. */
  add(error: unknown): void {
    if (this.#isAsked || !(error instanceof Failure) || error.code !== 'INPUT_INVALID') throw error
    this.#found.push(error)
  }

  /** What a step returns, or `otherwise` if it finds a fault. */
  try<T>(step: () => T, otherwise: T): T {
    try {
      return step()
    } catch (error) {
      this.add(error)
      return otherwise
    }
  }

  /** As `try`, of a step that may ask. */
  async tried<T>(step: () => Promise<T>, otherwise: () => T | Promise<T>): Promise<T> {
    try {
      return await step()
    } catch (error) {
      this.add(error)
      return otherwise()
    }
  }

  /** @throws Failure INPUT_INVALID: the one that was found, or one that lists all, each with what to do about it. */
  throwIfAny(): void {
    const [first] = this.#found
    if (first === undefined) return
    if (this.#found.length === 1) throw first
    // Bad rows are listed by the printer.
    const rows = this.#found.find(({details}) => Array.isArray(details.data?.groups))
    const isListed = Number(rows?.details.data?.count) > 1
    const lines = this.#found.map(one =>
      one === rows && isListed ? `- ${one.message}, as listed.` : this.#lineOf(one),
    )
    const count = this.#found.length
    throw new Failure('INPUT_INVALID', {
      message: `${this.#source} cannot be used as it is, for ${count} reasons.`,
      hint: 'Nothing was sent. These are all that can be seen now: settle them together, and add all the flags at once.',
      effect: 'none',
      data: {
        ...rows?.details.data,
        faults: this.#found.map(({message, hint}) => ({message, hint})),
        lines,
      },
    })
  }

  /** Of bad rows, the hint is the one of the code. */
  #lineOf({message, details: {hint}}: Failure): string {
    const told = message.replace(`${this.#source}: `, '').replace(`${this.#source}, `, '')
    const said = /[.!?]$/.test(told) ? told : `${told}.`
    const cure = hint === undefined ? '' : ` ${String(hint).replace(/^Nothing was sent\. /, '')}`
    return `- ${said}${cure}`
  }
}
