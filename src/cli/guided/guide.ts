import type {OperationId} from '../../contract/types.ts'
import type {Dialect} from '../../dialect/index.ts'
import type {DecimalSigns} from '../../money/decimal-sign.ts'
import type {Context} from '../context.ts'
import type {DefinedValues, Given, Need} from '../needs.ts'
import type {PartCheck} from './ask-parts.ts'

/** A value that a person may mean, and where it is from. */
export interface Suggestion {
  readonly value: string
  readonly from: string
  /** What is shown of it; the value and where it is from otherwise. */
  readonly title?: string
}

/**
 * What a command says about its values beyond the definitions of its arguments and flags. Arguments are named as in the
 * code (`id`), flags as they are typed (`--customer`).
 */
export interface Guide {
  /** Says before the first question that no answer can help. @throws Failure */
  refuses?(context: Context): Promise<void>
  readonly needs?: readonly Need[]
  /** What `--interactive` asks for before the rest, unless this machine knows it. The command finds it out itself otherwise. */
  readonly unlessKnown?: Need & {isKnown(context: Context, given: Given): Promise<boolean>}
  /**
   * Values that this machine knows, as words to add to the line, and where it has them from. Only what somebody chose
   * before, with success.
   */
  known?(context: Context, given: Given): Promise<KnownValues | undefined>
  /** The fields of the body, or `path:` and a path parameter, that values set: the contract checks an answer at once. */
  readonly fields?: Readonly<Record<string, string>>
  /** Fields of the body that other flags set, and that nobody asks about by them. */
  readonly sets?: Readonly<Record<string, string>>
  /** What a question calls a value whose description doesn't suit one. */
  readonly labels?: Readonly<Record<string, string>>
  /** What an argument is the id of, where another value says it. */
  readonly kinds?: Readonly<Record<string, (given: Given) => unknown>>
  /** Arguments that take an id of any kind. */
  readonly anyId?: readonly string[]
  /** Values that are offered, with what they are. Any other can be typed. */
  readonly suggests?: Readonly<Record<string, (context: Context) => Promise<readonly Suggestion[]>>>
  /** Ids that are offered before those that were used lately. */
  readonly first?: Readonly<Record<string, (context: Context) => Promise<readonly Suggestion[]>>>
  /** All values that fit. The contract knows those of fields. */
  readonly choices?: Readonly<
    Record<string, readonly string[] | ((dialect: Dialect | undefined) => Promise<readonly string[]>)>
  >
  /** Choices of one kind that are offered as one, and asked for next: there may be many of them. */
  readonly grouped?: Readonly<
    Record<string, {readonly name: string; readonly asks: string; has(value: string): boolean}>
  >
  /** Checks an answer beyond the parser of its flag. @throws Failure */
  readonly checks?: Readonly<Record<string, (text: string, signs: DecimalSigns) => unknown>>
  /** Checks the parts of a value that are asked for one by one. @throws Failure */
  readonly partChecks?: Readonly<Record<string, PartCheck>>
  /** An operation that takes the same ids as the one that is sent, as long as that isn't certain. */
  readonly likeOperation?: OperationId
  /** The operation of a command that has several; undefined as long as that isn't certain. */
  operation?(given: Given): OperationId | undefined
}

export interface KnownValues {
  readonly words: readonly string[]
  /** In a sentence. */
  readonly from: string
}

/** A command whose values are asked for. */
export interface AskedCommand extends DefinedValues {
  /** Colons join its words. */
  readonly id: string
  readonly guide: Guide
  readonly claims: readonly OperationId[]
  readonly examples?: readonly (string | {readonly command: string})[] | undefined
}
