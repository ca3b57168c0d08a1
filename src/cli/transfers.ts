import {createReadStream} from 'node:fs'
import {Failure} from '../errors/failure.ts'
import {parseAmount} from '../money/index.ts'
import {formatOfName, type Row, RowProblems, readRows} from '../rows/index.ts'
import type {Surroundings} from './surroundings.ts'

export interface Transfer {
  readonly fromAccountId: string
  readonly toAccountId: string
  readonly amount: number
  readonly currency: string
  readonly text?: string
}

const MEMBERS = ['fromAccountId', 'toAccountId', 'amount', 'currency', 'text'] as const
/** Short names a person writes in a header line. */
const ALIASES: Readonly<Record<string, string>> = {from: 'fromAccountId', to: 'toAccountId'}

/**
 * Transfers of a CSV or NDJSON file, or of stdin (`-`). Every row is checked before any is sent.
 *
 * @throws Failure INPUT_INVALID listing all bad rows by number.
 */
export async function readTransferFile(source: string, {stdin}: Surroundings): Promise<Transfer[]> {
  const name = source === '-' ? 'stdin' : source
  const problems = new RowProblems({source: name})
  const transfers: Transfer[] = []
  const bytes = source === '-' ? stdin : createReadStream(source)
  try {
    for await (const row of readRows(bytes, {source: name, format: formatOfName(source), problems})) {
      const transfer = toTransfer(row, problems)
      if (transfer) transfers.push(transfer)
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (error instanceof Failure || code === undefined) throw error
    throw new Failure('INPUT_INVALID', {message: `${name} cannot be read (${code}).`})
  }
  if (problems.count > 0) throw problems.toFailure()
  return transfers
}

/** `from:to:amount:currency[:text]`, the text with whatever it holds. */
export function parseTransfer(argument: string): Transfer {
  const [fromAccountId, toAccountId, amount, currency, ...text] = argument.split(':')
  if (!fromAccountId || !toAccountId || !amount || !currency) {
    throw new Failure('USAGE', {
      message: '--transfer takes from:to:amount:currency[:text], e.g. 2006:2007:12.50:EUR:rent.',
    })
  }
  return {
    fromAccountId,
    toAccountId,
    amount: Number(parseAmount(amount, currency).text),
    currency,
    ...(text.length > 0 ? {text: text.join(':')} : {}),
  }
}

function toTransfer({row, line, values}: Row, problems: RowProblems): Transfer | undefined {
  const before = problems.count
  const bad = (column: string, message: string): void => problems.add({row, line, column, message})
  const named = new Map(Object.entries(values).map(([name, value]) => [ALIASES[name] ?? name, value]))
  for (const name of named.keys()) {
    if (!MEMBERS.some(member => member === name))
      bad(name, `is not a member of a transfer (${MEMBERS.join(', ')})`)
  }
  const text = (name: string): string => {
    const value = named.get(name)
    return value === undefined || value === null ? '' : String(value)
  }
  const [fromAccountId, toAccountId, currency] = [
    text('fromAccountId'),
    text('toAccountId'),
    text('currency'),
  ]
  for (const [column, id] of [
    ['fromAccountId', fromAccountId],
    ['toAccountId', toAccountId],
  ] as const) {
    if (id === '') bad(column, 'is missing')
    else if (!/^\d+$/.test(id)) bad(column, 'is not an account id: digits only')
  }
  if (currency === '') bad('currency', 'is missing')
  const amount = amountOf(named.get('amount'), currency, message => bad('amount', message))
  if (problems.count > before || amount === undefined) return undefined
  const comment = text('text')
  return {fromAccountId, toAccountId, amount, currency, ...(comment === '' ? {} : {text: comment})}
}

function amountOf(value: unknown, currency: string, bad: (message: string) => void): number | undefined {
  if (value === undefined || value === null || value === '') {
    bad('is missing')
    return undefined
  }
  if (currency === '') return undefined
  try {
    const {minor, text} = parseAmount(typeof value === 'number' ? value : String(value), currency)
    if (minor <= 0n) bad('is not above zero')
    return Number(text)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    bad(error.message)
    return undefined
  }
}
