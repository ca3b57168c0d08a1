/** `sure`: the document says so. `unsure`: probably. `missing`: nothing of theirs seems to be it. */
export type Standing = 'sure' | 'unsure' | 'missing'

/** How a value is written there, beside its place. */
export interface DraftRule {
  readonly as?: string
  readonly values?: Readonly<Record<string, string | number | boolean | null>>
  readonly currency?: string
  readonly exponent?: number
  readonly items?: readonly DraftLine[]
  readonly shape?: string
}

/** One member of ours. */
export interface DraftLine {
  /** As in a dialect: `path:id`, `query:size`, or a pointer. */
  readonly ours: string
  /** Where it is, if something seems to be it. */
  readonly at?: string | undefined
  readonly rule: DraftRule
  readonly standing: Standing
  readonly why: string
  /** What else it could be. */
  readonly others: readonly Pick<DraftLine, 'at' | 'rule'>[]
}

/** One of their requests for an operation of ours. */
export interface DraftRequest {
  readonly request: string
  readonly standing: Standing
  readonly why: string
  readonly envelope?: string
  /** No parameter chooses a page: perhaps it sends the whole list. */
  readonly isPerhapsWhole: boolean
  readonly input: readonly DraftLine[]
  /** Places of theirs that must be given. */
  readonly required: readonly string[]
  readonly output: readonly DraftLine[]
  /** Members of ours that a result must have. */
  readonly needs: readonly string[]
  /** A list of which it is not known how the next page is asked for. */
  readonly isOpenList: boolean
}

export interface DraftOperation {
  readonly id: string
  readonly requests: readonly DraftRequest[]
}

/** A setting at the top of the file. */
export interface DraftSetting {
  readonly name: 'envelope' | 'key' | 'errors'
  readonly value: string | Readonly<Record<string, string>>
  readonly standing: Standing
  readonly why: string
}

export interface DraftDialect {
  readonly settings: readonly DraftSetting[]
  readonly ids: readonly {readonly kind: string; readonly pattern: string; readonly why: string}[]
  readonly shapes: ReadonlyMap<string, readonly DraftLine[]>
  readonly operations: readonly DraftOperation[]
  /** Ids of operations for which the document seems to have nothing. */
  readonly missing: readonly string[]
}

/** Whether a line is mapped; a guess is a comment until a person has said that it is right. */
export const isMapped = ({standing, at, rule}: DraftLine): boolean =>
  at !== undefined &&
  standing === 'sure' &&
  (rule.items === undefined ||
    rule.shape !== undefined ||
    rule.items.length === 0 ||
    rule.items.some(isMapped))

/** Why a request can't be used yet, beyond what it is about; none if it can. */
export function doubtsOf(
  {input, required, output, needs, isOpenList}: DraftRequest,
  {shapes}: Pick<DraftDialect, 'shapes'>,
): readonly string[] {
  const filled = input.filter(isMapped).flatMap(({at}) => at ?? [])
  const isFilled = (at: string): boolean =>
    filled.some(one => one === at || one.startsWith(`${at}/`) || at.startsWith(`${one}/`))
  const unfilled = required.filter(at => !isFilled(at))
  const [whole] = output
  const members = whole?.rule.shape === undefined ? output : (shapes.get(whole.rule.shape) ?? [])
  const lacking = needs.filter(need => !members.some(line => line.ours === need && isMapped(line)))
  return [
    ...(unfilled.length === 0 ? [] : [`it requires ${unfilled.join(', ')}: say in with what to send`]),
    ...(lacking.length === 0 ? [] : [`a result needs ${lacking.join(', ')}`]),
    ...(isOpenList && !input.some(line => line.ours === 'query:page' && isMapped(line))
      ? ['how the next page is asked for is not known']
      : []),
    ...(whole?.rule.shape !== undefined && !members.some(isMapped) ? ['nothing of its result is known'] : []),
    ...(input.some(({ours}) => ours.startsWith('/')) &&
    !input.some(line => line.ours.startsWith('/') && isMapped(line))
      ? ['no member of the body is sure']
      : []),
  ]
}
