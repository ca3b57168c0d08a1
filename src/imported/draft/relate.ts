import {conceptsOf, valueConcept} from './concepts.ts'
import type {DraftRule, Standing} from './draft-form.ts'
import type {Member} from './members.ts'

/** How a value of ours is one of theirs, and how sure that is. */
export interface Relation {
  readonly rule: DraftRule
  readonly standing: Standing
  readonly why: string
  /** What else it could be. */
  readonly others: readonly DraftRule[]
}

const sure = (rule: DraftRule, why: string): Relation => ({rule, standing: 'sure', why, others: []})
const unsure = (rule: DraftRule, why: string, others: readonly DraftRule[] = []): Relation => ({
  rule,
  standing: 'unsure',
  why,
  others,
})

/** How a value of theirs may be read as ours; undefined if it can't be the same value. */
export function relate(ours: Member, theirs: Member, about: ReadonlySet<string>): Relation | undefined {
  if (!mayBeShown(ours, theirs)) return undefined
  if (ours.kind === 'month') return monthOf(theirs)
  if (ours.kind !== 'value' || theirs.kind !== 'value') return undefined
  if (ours.values.length > 0) return valuesOf(ours, theirs, about)
  if (isLocalTime(ours)) return timeOf(theirs)
  if (ours.types.has('number') && !ours.types.has('string')) return amountOf(theirs)
  return plainOf(ours, theirs)
}

/** What no member of ours may show, and what only the last digits may. */
const SECRET = /^(?:password|secret|cvv|cvc|passcode|pinblock)$/
function mayBeShown({words}: Member, theirs: Member): boolean {
  if ([...theirs.words].some(word => SECRET.test(word) && !words.has(word))) return false
  return !theirs.words.has('pan') || theirs.words.has('masked') || !words.has('masked')
}

function plainOf(ours: Member, theirs: Member): Relation | undefined {
  const isText = takes(theirs, 'string')
  const [number, boolean] = [takes(theirs, 'integer') || takes(theirs, 'number'), takes(theirs, 'boolean')]
  if (theirs.types.size === 0) return unsure({}, 'the document does not say what it holds')
  if (ours.words.has('masked') && ours.words.has('pan')) {
    if (theirs.words.has('last4')) return isText ? sure({as: 'last4'}, 'the last four digits') : undefined
    return isText ? sure({}, 'a masked card number') : undefined
  }
  if (takes(ours, 'boolean')) return boolean ? sure({}, 'the same kind of value') : undefined
  if (takes(ours, 'integer') && !takes(ours, 'string'))
    return number ? sure({}, 'the same kind of value') : undefined
  if (!takes(ours, 'string') && ours.types.size > 0) return undefined
  if (isText) {
    if (ours.words.has('state')) return unsure({}, 'the values of states are not listed')
    const width = Number(theirs.limits.maxLength)
    return ours.words.has('country') && width === 2 ? undefined : sure({}, 'the same kind of value')
  }
  if (!takes(theirs, 'integer')) return undefined
  return ours.words.has('id')
    ? sure({as: 'number'}, 'ids are numbers there')
    : unsure({as: 'number'}, 'a number there')
}

const takes = ({types}: Member, type: string): boolean => types.has(type)

const isLocalTime = ({limits}: Member): boolean => /T\[0-9\]/.test(String(limits.pattern ?? ''))

function timeOf(theirs: Member): Relation | undefined {
  if (!takes(theirs, 'string') || theirs.values.length > 0) return undefined
  if (theirs.limits.format === 'date-time') return sure({as: 'utc'}, 'a date and time with a zone')
  return theirs.limits.format === 'date' || !theirs.words.has('date')
    ? undefined
    : unsure({as: 'utc'}, 'text there, perhaps a date and time')
}

/** A year and month in one text. */
const MONTHS = [
  ['MMYY', '0829'],
  ['MM/YY', '08/29'],
  ['YYYY-MM', '2029-08'],
] as const

function monthOf(theirs: Member): Relation | undefined {
  if (theirs.kind === 'month') return sure({}, 'year and month')
  if (theirs.kind !== 'value' || !takes(theirs, 'string')) return undefined
  const {pattern, format, examples} = theirs.limits
  if (format === 'date' || format === 'date-time') return sure({as: 'YYYY-MM'}, 'a date')
  const shown = [theirs.limits.example, ...(Array.isArray(examples) ? examples : [])].filter(
    one => typeof one === 'string',
  )
  const forms = [/^(?:0[1-9]|1[0-2])\d\d$/, /^(?:0[1-9]|1[0-2])\/\d\d$/, /^\d{4}-(?:0[1-9]|1[0-2])/]
  const fitting = MONTHS.filter(([, sample], at) => {
    if (shown.length > 0) return shown.every(one => forms[at]?.test(String(one)))
    return typeof pattern === 'string' && matches(pattern, sample)
  })
  const [only, another] = fitting
  if (only !== undefined && another === undefined)
    return sure({as: only[0]}, shown.length > 0 ? 'its example' : 'its pattern')
  const [first, ...others] = MONTHS.map(([as]) => ({as}))
  return unsure(first ?? {}, 'the document does not say how it writes year and month', others)
}

/** The samples are so short that no pattern takes long. */
function matches(pattern: string, sample: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(sample)
  } catch {
    return false
  }
}

const MINOR = /\b(?:minor units?|smallest (?:currency )?unit|in cents|minor currency)\b/i
const MAJOR = /\b(?:major units?|decimal)\b/i

function amountOf(theirs: Member): Relation | undefined {
  const {description, example, multipleOf, format, pattern} = theirs.limits
  const said = `${String(description ?? '')}`
  const isMinor = /(?:^|[_-])(?:minor|cents)(?:$|[_-])|(?:Minor|Cents)$/.test(theirs.name) || MINOR.test(said)
  const isMajor =
    MAJOR.test(said) ||
    /^\d+\.\d+$/.test(String(example ?? '')) ||
    (typeof multipleOf === 'number' && multipleOf < 1)
  const minor: DraftRule = {as: 'minor'}
  if (takes(theirs, 'integer')) {
    if (isMinor && !isMajor) return sure(minor, 'minor units, as its name or description says')
    return unsure(minor, 'a whole number: minor units, or amounts without decimals', [{}])
  }
  if (takes(theirs, 'number')) {
    if (isMajor && !isMinor) return sure({}, 'an amount with decimals, as the document shows')
    return unsure({}, 'a number: with decimals, or minor units', [minor])
  }
  if (!takes(theirs, 'string')) return undefined
  const isDecimal =
    isMajor ||
    format === 'decimal' ||
    (typeof pattern === 'string' && matches(pattern, '12.50') && !matches(pattern, 'ab.cd'))
  if (isDecimal && !isMinor) return sure({as: 'decimal-text'}, 'an amount as text, with decimals')
  return unsure({as: 'decimal-text'}, 'text: with decimals, or minor units', [minor])
}

/** Values of ours and theirs that say the same. Of several of theirs, none: which one is sent would be a guess. */
function valuesOf(ours: Member, theirs: Member, about: ReadonlySet<string>): Relation | undefined {
  if (takes(theirs, 'boolean') || !(takes(theirs, 'string') || theirs.values.length > 0)) return undefined
  if (/^date/.test(String(theirs.limits.format ?? ''))) return undefined
  if (theirs.values.length === 0) return unsure({}, 'its values are not listed')
  const words = new Set([...about, ...ours.words, ...conceptsOf(ours.name)])
  const said = (value: unknown) => valueConcept(value, words)
  const scalars = theirs.values.filter(one => typeof one === 'string' || typeof one === 'number')
  const pairs = ours.values.flatMap(value => {
    const [only, another] = scalars.filter(one => said(one) === said(value))
    const isOwn = ours.values.filter(one => said(one) === said(value)).length === 1
    return only !== undefined && another === undefined && isOwn && said(value) !== ''
      ? [[String(value), only] as const]
      : []
  })
  if (pairs.length === 0)
    return unsure({}, `its values are ${listed(theirs.values)}, and ours ${listed(ours.values)}`)
  const left = ours.values.filter(value => !pairs.some(([one]) => one === String(value)))
  const open = theirs.values.filter(value => !pairs.some(([, one]) => one === value))
  const without = left.length === 0 ? '' : `; no value for ${listed(left)}`
  const unknown = open.length === 0 ? '' : `; nothing of ours is ${listed(open)}`
  const isPlain = pairs.every(([one, other]) => one === other) && left.length === 0 && open.length === 0
  return sure(
    isPlain ? {} : {values: Object.fromEntries(pairs)},
    `values that say the same${without}${unknown}`,
  )
}

const MOST = 12
const listed = (values: readonly unknown[]): string =>
  values.slice(0, MOST).map(String).join(', ') + (values.length > MOST ? ' …' : '')
