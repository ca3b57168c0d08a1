import {SuggestedCommand} from './suggested-command.ts'

/** What to do, for a person to read. The commands in it are data. */
export class Advice {
  readonly #parts: readonly (string | SuggestedCommand)[]

  constructor(parts: readonly (string | SuggestedCommand)[]) {
    this.#parts = parts
  }

  get commands(): readonly SuggestedCommand[] {
    return this.#parts.filter(part => part instanceof SuggestedCommand)
  }

  /** The same advice with other commands. */
  map(change: (command: SuggestedCommand) => SuggestedCommand): Advice {
    return new Advice(this.#parts.map(part => (typeof part === 'string' ? part : change(part))))
  }

  /** The same advice where it ends, or a sentence of it, with such a command: without the colon and the command. */
  without(isLeftOut: (command: SuggestedCommand) => boolean): Advice {
    const isOut = (part: string | SuggestedCommand | undefined): boolean =>
      part instanceof SuggestedCommand && isLeftOut(part)
    const kept = this.#parts.map((part, at) =>
      typeof part === 'string' && isOut(this.#parts[at + 1]) ? part.replace(/: $/, '') : part,
    )
    return new Advice(kept.filter(part => !isOut(part)))
  }

  /** The parts as values of `advice`. */
  get parts(): readonly (string | SuggestedCommand)[] {
    return this.#parts
  }

  toString(): string {
    return this.#parts.join('')
  }

  /** In data for programs, the text. */
  toJSON(): string {
    return this.toString()
  }
}

/** Advice that names no command may be a text. */
export type Hint = string | Advice

type Value = string | number | SuggestedCommand | Advice

/** ``advice`Find out first: ${cardctl('requests', 'resolve', {value: id})}` ``. Commands within advice remain data. */
export function advice(texts: TemplateStringsArray, ...values: readonly Value[]): Advice {
  const given = texts.flatMap((text, at) => [text, ...values.slice(at, at + 1)])
  return new Advice(given.flatMap(partsOf).filter(part => part !== ''))
}

/** Several pieces of advice as one. */
export const joinAdvice = (all: readonly Value[], separator: string): Advice =>
  new Advice(all.flatMap((one, at) => (at === 0 ? partsOf(one) : [separator, ...partsOf(one)])))

function partsOf(value: Value): readonly (string | SuggestedCommand)[] {
  if (value instanceof Advice) return value.parts
  return [value instanceof SuggestedCommand ? value : String(value)]
}

/** "Next, when the disk has room: cardctl bulk resume j_…" */
export const nextAdvice = (next: SuggestedCommand, when: string | undefined): Advice =>
  advice`Next${when === undefined ? '' : `, ${when}`}: ${next}`
