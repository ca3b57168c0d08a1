import {commandLine} from '../../../cli/command-line.ts'
import {advice, type Hint} from '../../../errors/advice.ts'
import {readCurrency} from '../../../money/currency-name.ts'

/** Names that people give to the flags of one transfer. */
const NAMES = {
  from: /^--(?:from|debit|payer|source)(?:-?account)?(?:-?id)?$/,
  to: /^--(?:to|credit|payee|target)(?:-?account)?(?:-?id)?$/,
  amount: /^--(?:amount|sum|value)$/,
  currency: /^--(?:currency|ccy)$/,
}
type Part = keyof typeof NAMES

/** An id or an amount. Other words may be secrets, and are not quoted. */
const FITS: Readonly<Record<Exclude<Part, 'currency'>, RegExp>> = {
  from: /^\d{1,10}$/,
  to: /^\d{1,10}$/,
  amount: /^\d{1,9}(?:[.,]\d{1,2})?$/,
}

const EXAMPLE = {from: '2006', to: '2007', amount: '12.50', currency: 'EUR'}

/** The whole line for one transfer that was typed as words or with the flags of other programs, with what they say. */
export function typedTransfer(argv: readonly string[]): Hint | undefined {
  const typed = partsIn(argv)
  const isOne = typed.from !== undefined && typed.to !== undefined
  if (!isOne && !isBare(argv)) return undefined
  const {from, to, amount, currency} = isOne ? {...EXAMPLE, ...typed} : EXAMPLE
  const line = commandLine(
    ['a2a', 'create', '--transfer', {value: [from, to, amount, currency].join(':')}],
    undefined,
  )
  if (isOne && typed.amount !== undefined && typed.currency !== undefined)
    return advice`To send this transfer, run: ${line}`
  // A program that runs what is suggested must not send what nobody has typed.
  const what = `${currency} ${amount} from account ${from} to account ${to}`
  return isOne
    ? `${typed.amount === undefined ? 'For example, for' : 'For'} ${what}, run: ${line}`
    : advice`A transfer is FROM:TO:AMOUNT:CURRENCY. For ${what}, you run: ${String(line)}. To send those in a file, run: ${commandLine(['a2a', 'create', '--from', {value: 'FILE'}], undefined)}`
}

function partsIn(argv: readonly string[]): Partial<Record<Part, string>> {
  const found: Partial<Record<Part, string>> = {}
  const words: string[] = []
  for (let at = 0; at < argv.length; at++) {
    const [flag = '', value] = (argv[at] ?? '').split(/=(.*)/s)
    const part = (Object.keys(NAMES) as Part[]).find(one => NAMES[one].test(flag))
    if (part !== undefined) {
      const text = value ?? argv[++at] ?? ''
      const read = part === 'currency' ? currencyIn(text) : FITS[part].test(text) ? text : undefined
      if (read !== undefined) found[part] = read
    } else if (flag !== '--transfer' && !flag.startsWith('-')) words.push(argv[at] ?? '')
  }
  for (const word of words) {
    const currency = currencyIn(word)
    const part = (['from', 'to', 'amount'] as const).find(one => found[one] === undefined)
    if (currency !== undefined) found.currency ??= currency
    else if (part !== undefined && FITS[part].test(word)) found[part] = word
  }
  return found
}

function currencyIn(text: string): string | undefined {
  if (!/^\p{L}{3,12}$/u.test(text)) return undefined
  try {
    return readCurrency(text)
  } catch {
    return undefined
  }
}

/** Whether a line says nothing of a transfer, so that nothing else can be wrong with it. */
const isBare = (argv: readonly string[]): boolean =>
  argv.every((word, at) => BESIDE.test(word) || /^(?:-[po]|--(?:profile|output))$/.test(argv[at - 1] ?? ''))

const BESIDE = /^(?:-[ypoq]|--(?:yes|wait|profile|output|quiet|no-input)(?:=.*)?)$/
