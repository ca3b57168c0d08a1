import * as Flags from '@oclif/core/flags'
import {idArg} from '../../../cli/arguments.ts'
import {bodyFlags, flagFields, withFields, writeFlags} from '../../../cli/flags.ts'
import type {Guide} from '../../../cli/guided/guide.ts'
import {BODY} from '../../../cli/needs.ts'
import {operationCommand} from '../../../cli/operation-command.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import {updateView} from '../../../output/changes.ts'
import {localDate} from '../../../output/when.ts'

const timeFlag = (summary: string) => Flags.string({helpValue: 'DATE|TIME', summary})

const MEMBERS = {'valid-from': 'validFrom', 'valid-to': 'validTo', value: 'value'}

export default class PricelistsPeriodPatch extends operationCommand('pricelists.patchPeriod.v1') {
  static override summary = 'Change a period of a price list.'
  static override description =
    'Of an active period only the end can change. An expired period cannot change.'
  static override examples = [
    {
      description: 'Until the end of 30 June, in UTC',
      command: '<%= config.bin %> pricelists period patch 6001 --valid-to 2027-07-01',
    },
    '<%= config.bin %> pricelists period patch 6003 --value 2.5',
  ]
  static override args = {id: idArg('the period')}
  static override flags = {
    'valid-from': timeFlag(
      'Start of the period: a date (from midnight UTC), or a time such as 2027-01-01T10:00:00Z.',
    ),
    'valid-to': timeFlag(
      'End of the period: a date, the first that is not part of it (it ends at 00:00 UTC), or a time; null for no end.',
    ),
    value: Flags.string({summary: 'New price.'}),
    ...bodyFlags,
    ...writeFlags,
  }

  static override guide: Guide = {
    needs: [{anyOf: Object.keys(MEMBERS).map(name => `--${name}`), or: BODY, several: true}],
    fields: flagFields(MEMBERS),
  }

  async run() {
    const {args, flags} = await this.parse(PricelistsPeriodPatch)
    const operation = 'pricelists.patchPeriod.v1'
    if (flags.skeleton) return this.printSkeleton(operation)
    const body = await this.body(operation, withFields(flags, MEMBERS))
    if (isObject(body)) this.#sayLastDay(body.validTo)
    try {
      return await this.execute(
        {operation, path: {id: args.id}, body},
        flags,
        updateView('Price list period'),
      )
    } catch (error) {
      throw this.#withOrder(error, isObject(body) ? body : {})
    }
  }

  /** Of two periods that would overlap, the other one is changed first. */
  #withOrder(error: unknown, {validFrom, validTo}: Readonly<Record<string, unknown>>): unknown {
    if (!(error instanceof Failure) || error.details.status !== 409 || !/overlap/i.test(error.message))
      return error
    // A service may name it.
    const [, named = 'ID'] = /overlaps with period (\d+)/.exec(error.message) ?? []
    const {commandLine} = this.context
    const other = {value: named}
    const begin = {value: String(validTo ?? 'DATE')}
    const end = {value: String(validFrom)}
    const hint =
      validFrom === undefined
        ? advice`If the other period is the later one, let it begin later first: ${commandLine('pricelists', 'period', 'patch', other, '--valid-from', begin)}`
        : advice`If the other period is the earlier one, end it first: ${commandLine('pricelists', 'period', 'patch', other, '--valid-to', end)}`
    return error.with({hint})
  }

  /** A person who writes a date may mean that it is still part of the period. */
  #sayLastDay(validTo: unknown): void {
    const [, date] = /^(.*)T00:00:00Z$/.exec(String(validTo)) ?? []
    const end = Date.parse(`${date}T00:00:00Z`)
    if (date === undefined || Number.isNaN(end)) return
    const last = localDate(end - 1, {timeZone: 'UTC'})
    this.context.printer.note(`The period ends as ${date} begins (00:00 UTC): its last day is ${last}.`)
  }
}
