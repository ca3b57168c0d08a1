import {globSync, readFileSync} from 'node:fs'
import fc from 'fast-check'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {dateTime, localTime, timeColumn, timeZoneOf, zoneOf} from '../../src/output/when.ts'
import {type Home, openHome} from '../helpers/cli.ts'

const SUMMER = Date.UTC(2026, 6, 1, 12)
const WINTER = Date.UTC(2026, 10, 21, 12)

const zones = [
  ['UTC', 'UTC', 'UTC'],
  ['Europe/Helsinki', 'UTC+3', 'UTC+2'],
  ['Asia/Kolkata', 'UTC+5:30', 'UTC+5:30'],
  ['America/St_Johns', 'UTC-2:30', 'UTC-3:30'],
  ['Pacific/Kiritimati', 'UTC+14', 'UTC+14'],
] as const

describe('a time that a person sees', () => {
  it.each(zones)(
    'in %s names the offset that holds then: %s in summer, %s in winter',
    (timeZone, summer, winter) => {
      expect(zoneOf(SUMMER, {timeZone})).toBe(summer)
      expect(zoneOf(WINTER, {timeZone})).toBe(winter)
    },
  )

  it('says which moment it was, to the minute, in any zone', () => {
    const moment = fc.integer({min: Date.UTC(1980, 0), max: Date.UTC(2099, 0)})
    fc.assert(
      fc.property(moment, fc.constantFrom(...zones), (millis, [timeZone]) => {
        const [, date, time, sign = '+', hours = '0', minutes = '0'] =
          /^(\S+) (\S+) UTC(?:([+-])(\d+)(?::(\d+))?)?$/.exec(localTime(millis, {timeZone})) ?? []
        const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
        expect(Date.parse(`${date}T${time}Z`) - offset * 60_000).toBe(millis - (millis % 60_000))
      }),
    )
  })

  it('names a zone or is called the service’s own, whatever the service sends', () => {
    const clock = {now: WINTER, timeZone: 'Asia/Kolkata'}
    for (const text of [
      '2026-11-21T12:00:00Z',
      '2026-11-21T14:00:00+02:00',
      '2026-11-21 12:00:00.123+0000',
    ]) {
      expect(dateTime(text, clock)).toBe('2026-11-21 17:30 UTC+5:30 (just now)')
    }
    expect(dateTime('2026-11-21T12:00:00', clock)).toBe('2026-11-21 12:00 (service time)')
  })

  it('in a column has its zone in the title, but for one from the other side of a change of clocks', () => {
    const {title, text} = timeColumn('When', {now: WINTER, timeZone: 'Europe/Helsinki'})
    expect(title).toBe('When (UTC+2)')
    expect(text(WINTER)).toBe('today 14:00')
    expect(text(SUMMER)).toBe('2026-07-01 15:00 UTC+3')
  })

  it.each([
    ['Asia/Kolkata', 'Asia/Kolkata'],
    [':Asia/Kolkata', 'Asia/Kolkata'],
    ['EST5EDT,M3.2.0,M11.1.0', undefined],
    ['nowhere', undefined],
    ['', undefined],
  ])('takes TZ=%s for %s', (TZ, zone) => {
    expect(timeZoneOf({TZ})).toBe(zone)
  })

  it('is made by one function: nothing else in a command writes a time', () => {
    // They write for programs: a reply, an answer, a request, a report, a file.
    const forPrograms = [
      'src/cli/keep-requests.ts',
      'src/cli/pace.ts',
      'src/cli/propose.ts',
      'src/cli/serving/run-server.ts',
      // It reads the names of months.
      'src/cli/sheet/sum-label.ts',
      'src/commands/accounts/shared/blocked-account.ts',
      'src/commands/audit/shared/replace-trail.ts',
      'src/commands/bulk/shared/summary.ts',
      'src/commands/contract/shared/check-service.ts',
      'src/commands/data/shared/export-data.ts',
      'src/commands/gate/shared/day-sums.ts',
      'src/commands/history/shared/history-entries.ts',
      'src/commands/plan/shared/applied-here.ts',
      'src/commands/remotecheckout/shared/traces.ts',
      'src/commands/report/shared/batch-report.ts',
      'src/commands/report/shared/shift-machines.ts',
      'src/commands/requests/shared/shown-request.ts',
      'src/commands/requests/shared/signed-decision.ts',
      'src/commands/sandbox/shared/snapshot-files.ts',
      'src/commands/webhook/shared/call.ts',
      'src/commands/webhook/shared/certify.ts',
      'src/commands/webhook/shared/events.ts',
      'src/commands/webhook/shared/rules-check.ts',
      'src/commands/x/shared/keep.ts',
      'src/output/log-stream.ts',
      'src/output/waits.ts',
    ]
    const others = globSync(['src/cli/**/*.ts', 'src/commands/**/*.ts', 'src/output/**/*.ts']).filter(
      file =>
        file !== 'src/output/when.ts' &&
        /toISOString|toLocale(Date|Time)?String|Intl\.DateTimeFormat/.test(readFileSync(file, 'utf8')),
    )
    expect(others.sort()).toEqual(forPrograms)
  })
})

describe('commands, read in different places', () => {
  let home: Home
  const now = () => WINTER
  beforeAll(async () => {
    home = await openHome()
    await home.run(['accounts', 'patch', '2001', '--type', 'credit', '--credit-limit', '5'], {now})
  })
  afterAll(() => home.remove())

  it.each([
    ['UTC', 'today 12:00', 'UTC'],
    ['Asia/Kolkata', 'today 17:30', 'UTC+5:30'],
    ['America/St_Johns', 'today 08:30', 'UTC-3:30'],
  ])('in %s', async (TZ, time, zone) => {
    const shown = async (line: string) => (await home.run(line.split(' '), {now, env: {TZ}})).stdout
    for (const list of ['requests list', 'audit list']) {
      expect(await shown(list)).toContain(`When (${zone})`)
      expect(await shown(list)).toContain(time)
    }
    const [{id} = {id: ''}] = await home.json<{id: string}[]>(['requests', 'list'])
    expect(await shown(`requests show ${id}`)).toMatch(
      new RegExp(`When +${time} ${zone.replace('+', '\\+')}\n`),
    )
    expect(await shown('cards get 3001')).toMatch(/Since +2025-01-15 09:00 \(service time\)/)
  })

  it('give programs ISO 8601 in UTC wherever they run', async () => {
    const [request] = await home.json<object[]>(['requests', 'list'], {env: {TZ: 'Asia/Kolkata'}})
    expect(request).toMatchObject({begunAt: '2026-11-21T12:00:00.000Z', endedAt: '2026-11-21T12:00:00.000Z'})
  })
})
