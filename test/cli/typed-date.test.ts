// Dates as people type them, in flags and fields that take one.
import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {dateInWords, readDate} from '../../src/cli/typed-date.ts'
import {openHome} from '../helpers/cli.ts'

/** Friday, 2026-11-27, 23:30 in Helsinki: in UTC still 21:30 of the same day. */
const clock = {now: Date.UTC(2026, 10, 27, 21, 30), timeZone: 'Europe/Helsinki'}
const coming = (text: string) => readDate(text, 'The date', clock, 'coming')
const past = (text: string) => readDate(text, 'The date', clock, 'past')

describe('a date', () => {
  it.each([
    ['2026-11-30', '2026-11-30'],
    ['2026-12-1', '2026-12-01'],
    ['30.11.2026', '2026-11-30'],
    ['1.2.27', '2027-02-01'],
    ['30. 11. 2026', '2026-11-30'],
    ['26.11.', '2027-11-26'],
    ['30/11/2026', '2026-11-30'],
    ['11/30/2026', '2026-11-30'],
    ['12/12/2026', '2026-12-12'],
    ['30/11', '2026-11-30'],
    ['11/30', '2026-11-30'],
    ['30 / 11', '2026-11-30'],
    ['30-11', '2026-11-30'],
    ['26-11', '2027-11-26'],
    ['30.11', '2026-11-30'],
    ['5.6', '2027-06-05'],
    ['29/2', '2028-02-29'],
    ['12/12', '2026-12-12'],
    ['31/11', undefined],
    ['13/13', undefined],
    ['11.30', undefined],
    ['30 Nov', '2026-11-30'],
    ['26 nov', '2027-11-26'],
    ['Nov 30th, 2027', '2027-11-30'],
    ['1st  of', undefined],
    ['3 September 2027', '2027-09-03'],
    ['29 Feb', '2028-02-29'],
    ['today', '2026-11-27'],
    ['Tomorrow', '2026-11-28'],
    ['monday', '2026-11-30'],
    ['friday', '2026-12-04'],
    ['next friday', '2026-12-04'],
    ['end of month', '2026-11-30'],
    ['end of the month', '2026-11-30'],
    ['end of next month', '2026-12-31'],
    ['in 3 days', '2026-11-30'],
    ['in 2 weeks', '2026-12-11'],
    ['in 3 months', '2027-02-27'],
    ['2026-02-30', undefined],
    ['31.11.2026', undefined],
    ['29.2.2027', undefined],
    ['20261130', undefined],
    ['last friday', undefined],
    ['Novem 3', undefined],
    ['', undefined],
    ['5'.repeat(200_000), undefined],
  ])('to come, %.30s is %s', (text, expected) => {
    if (expected === undefined) expect(() => coming(text)).toThrow('The date is not a date.')
    else expect(coming(text)).toBe(expected)
  })

  it.each([
    ['30 Nov', '2025-11-30'],
    ['27.11.', '2026-11-27'],
    ['30/11', '2025-11-30'],
    ['30-11', '2025-11-30'],
    ['27.11', '2026-11-27'],
    ['friday', '2026-11-27'],
    ['last monday', '2026-11-23'],
  ])('in the past, %s is %s', (text, expected) => {
    expect(past(text)).toBe(expected)
  })

  it('is not guessed where the order of its figures decides', () => {
    expect(() => coming('03/04/2027')).toThrow(
      'The date may be Saturday, 3 April 2027 or Thursday, 4 March 2027. Write it as 2027-04-03 or 2027-03-04.',
    )
  })

  it.each(['5/6', '5-6', '6/5', '05/06'])('without a year, %s is refused with both readings', text => {
    for (const read of [coming, past])
      expect(() => read(text)).toThrow(
        /The date may be (5 June or 6 May|6 May or 5 June)\. Write it as one of these\./,
      )
  })

  it('of any day is read in each way of writing it', () => {
    const days = fc.date({min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true})
    fc.assert(
      fc.property(days, day => {
        const iso = day.toISOString().slice(0, 10)
        const [year, month, date] = iso.split('-').map(Number)
        const [, words = ''] = /, (.*)/.exec(dateInWords(iso)) ?? []
        for (const text of [iso, `${date}.${month}.${year}`, words, words.toUpperCase()])
          expect(coming(text)).toBe(iso)
      }),
    )
  })
})

describe('commands that take a date', () => {
  const now = () => clock.now
  const env = {TZ: 'Europe/Helsinki'}
  const bodyOf = async (...argv: readonly string[]) => {
    const home = await openHome()
    const {stdout, stderr} = await home.run([...argv, '--dry-run'], {now, env})
    await home.remove()
    return {body: (JSON.parse(stdout) as {body: unknown}).body, stderr}
  }

  it.each([
    ['--reminder1', 'reminder1TriggerDate'],
    ['-F', 'reminder1TriggerDate'],
  ])('say what they understood: %s', async (flag, field) => {
    const value = flag === '-F' ? `${field}=30 Nov` : '30 Nov'
    const {body, stderr} = await bodyOf('accounts', 'reminder', '2001', flag, value)
    expect(body).toEqual({[field]: '2026-11-30'})
    expect(stderr).toContain('reminder1TriggerDate: Monday, 30 November 2026\n')
  })

  it('of a period name both readings too, or show the day', async () => {
    const home = await openHome()
    const report = async (since: string) =>
      (await home.run(['report', 'shift', '--since', since], {now, env})).stderr
    for (const text of ['5/6', '5-6'])
      expect((await report(text)).replaceAll(/\s+/g, ' ')).toContain('--since may be 5 June or 6 May')
    expect(await report('30/10')).toContain('2026-10-30')
    await home.remove()
  })

  it('take a day as its first moment in UTC where the service wants a time', async () => {
    const {body} = await bodyOf('pricelists', 'period', 'patch', '6003', '--valid-to', '1.7.2027')
    expect(body).toEqual({validTo: '2027-07-01T00:00:00Z'})
  })

  it('leave ISO dates and times as they are, without a word', async () => {
    for (const text of ['2027-07-01T10:00:00Z', '2027-07-01']) {
      const {body, stderr} = await bodyOf('pricelists', 'period', 'patch', '6003', '--valid-from', text)
      expect(body).toEqual({validFrom: /T/.test(text) ? text : `${text}T00:00:00Z`})
      expect(stderr).not.toContain('validFrom:')
    }
  })
})
