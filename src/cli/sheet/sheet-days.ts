import {inAllSpellings} from './spellings.ts'

/** The first letters of the months in the languages of the columns. */
const MONTHS = [
  'jan|tammi|ene|janv',
  'feb|helmi|fév|fev',
  'mar|mär|maalis|mrz',
  'apr|huhti|avr|abr',
  'may|mai|maj|touko',
  'jun|kesä|juin',
  'jul|heinä|juil',
  'aug|elo|aoû|aou|ago',
  'sep|syys',
  'oct|okt|loka|out',
  'nov|marras',
  'dec|dez|joulu|déc|dic|des',
].map(names => inAllSpellings(new RegExp(`^(?:${names})`, 'iu')))

/** All days, as ISO dates, that a cell may mean; none if it can't be read as a day. */
export function daysOf(cell: string): readonly string[] {
  const text = cell
    .trim()
    .normalize('NFC')
    .replace(/[T\s]+\d{1,2}:\d{2}.*$/, '')
  const [, year = '', month = '', day = ''] =
    /^(\d{4})([-./]?)(\d{2})\2(\d{2})$/.exec(text)?.filter((_, at) => at !== 2) ?? []
  if (year !== '') return dates([year, month, day])
  const [, first = '', sign = '', second = '', last = ''] =
    /^(\d{1,2})([./-]) ?(\d{1,2})[./-] ?(\d{4}|\d{2})$/.exec(text) ?? []
  if (first !== '') {
    return dates(
      [last, second, first],
      ...(sign === '/' ? [[last, first, second] as const] : []),
      ...(sign !== '.' && last.length === 2 ? [[first, second, last] as const] : []),
    )
  }
  const dayFirst =
    /^(\d{1,2})(?:st|nd|rd|th)?[.\s-]+(?:de )?(\p{L}+)\.?[,\s-]+(?:de )?'?(\d{4}|\d{2})$/u.exec(text)
  if (dayFirst) return dates([dayFirst[3] ?? '', monthOf(dayFirst[2]), dayFirst[1] ?? ''])
  const named = /^(\p{L}+)\.?[\s-]+(\d{1,2})(?:st|nd|rd|th)?[,\s-]+'?(\d{4}|\d{2})$/u.exec(text)
  if (named) return dates([named[3] ?? '', monthOf(named[1]), named[2] ?? ''])
  return []
}

const monthOf = (name = ''): string => String(MONTHS.findIndex(month => month.test(name)) + 1)

const dates = (
  ...parts: readonly (readonly [year: string, month: string, day: string])[]
): readonly string[] =>
  parts.flatMap(([year, month, day]) => {
    const fits = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31
    const whole = year.length === 4 ? year : `20${year.padStart(2, '0')}`
    return fits ? [`${whole}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`] : []
  })
