import type {ListedOperation, ListedTag} from '../imported/index.ts'
import {nameWords, singular} from '../sensitive/secret-names.ts'

/** Something that services have beside what the built-in contract describes. */
export interface Area {
  /** As a command names it: `card-hierarchy`. */
  readonly name: Lowercase<string>
  /** All words that people type for it. */
  readonly words: readonly string[]
}

const WORDS: Readonly<Record<string, string>> = {
  customers: 'customer cardholder cardholders',
  instalments: 'instalment installment installments',
  invoices: 'invoice statement statements',
  notifications: 'notification',
  transactions: 'transaction purchase purchases purchase-details',
  repricing: 'reprice',
  'spend-control': 'spend-controls spendcontrol spendcontrols',
  'card-hierarchy': 'hierarchy hierarchies',
  'exchange-rates': 'exchange-rate exchangerate exchangerates fx',
}

/** Words that people type, but that mean something else in a document: OAuth's clients, rates of interest. */
const TYPED_ONLY: Readonly<Record<string, string>> = {
  customers: 'client clients',
  'spend-control': 'spending',
  'exchange-rates': 'rate rates',
}

export const AREAS: readonly Area[] = Object.entries(WORDS).map(([name, words]) => ({
  name: name as Lowercase<string>,
  words: [name, ...words.split(' '), ...(TYPED_ONLY[name]?.split(' ') ?? [])],
}))

export const areaOf = (word: string): Area | undefined =>
  AREAS.find(({words}) => words.includes(word.toLowerCase()))

/** The tags of an imported contract with their operations. */
interface Tagged {
  readonly tags: readonly string[]
  tag(name: string): ListedTag | undefined
}

/** An operation of an imported contract. */
export interface TaggedOperation<Contract extends Tagged> {
  readonly contract: Contract
  readonly tag: string
  readonly name: string
  readonly listed: ListedOperation
}

const allIn = <Contract extends Tagged>(
  contract: Contract,
  tags: readonly string[],
): readonly TaggedOperation<Contract>[] =>
  tags.flatMap(tag =>
    Object.entries(contract.tag(tag)?.operations ?? {}).map(([name, listed]) => ({
      contract,
      tag,
      name,
      listed,
    })),
  )

export const allOperations = <Contract extends Tagged>(
  contracts: readonly Contract[],
): readonly TaggedOperation<Contract>[] => contracts.flatMap(contract => allIn(contract, contract.tags))

/** The operations under a tag, and those of the area that it may be a word for. */
export function operationsUnder<Contract extends Tagged>(
  contracts: readonly Contract[],
  tag: string,
): readonly TaggedOperation<Contract>[] {
  const under = contracts.flatMap(contract => allIn(contract, [tag]))
  const area = areaOf(tag)
  if (area === undefined) return under
  const others = operationsIn(area, contracts).filter(one => one.tag !== tag)
  return [...under, ...others]
}

/** The operations of an area, by the tag or the fixed parts of the path. */
export function operationsIn<Contract extends Tagged>(
  {name, words}: Area,
  contracts: readonly Contract[],
): readonly TaggedOperation<Contract>[] {
  const typedOnly = TYPED_ONLY[name]?.split(' ') ?? []
  return operationsAbout(
    words.filter(word => !typedOnly.includes(word)),
    contracts,
  )
}

/** The operations whose tag, or a fixed part of whose path, has one of these words. */
export function operationsAbout<Contract extends Tagged>(
  words: readonly string[],
  contracts: readonly Contract[],
): readonly TaggedOperation<Contract>[] {
  const wanted = words.map(inSingular)
  const isAbout = (text: string): boolean => wanted.some(word => inSingular(text).includes(word))
  return allOperations(contracts).filter(({tag, listed: {path}}) =>
    [tag, ...path.split('/').filter(part => !part.startsWith('{'))].some(isAbout),
  )
}

/** ` exchange rate `: what it is compared with begins and ends at a word. */
const inSingular = (text: string): string => ` ${nameWords(text).map(singular).join(' ')} `
