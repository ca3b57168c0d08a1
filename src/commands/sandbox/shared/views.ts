import type {DroppedEvent} from '../../../cli/serving/run-server.ts'
import {duration} from '../../../errors/duration.ts'
import {isObject} from '../../../errors/is-object.ts'
import {amount, counted} from '../../../money/amount.ts'
import {detail} from '../../../output/detail.ts'
import {fieldAt, joined, listAt, numberAt, textAt} from '../../../output/fields.ts'
import {chosenView, genericListView, genericView} from '../../../output/generic.ts'
import {state} from '../../../output/state.ts'
import {bad, dim, ok, type Styled, strong, warn} from '../../../output/styled.ts'
import {type Column, table} from '../../../output/table.ts'
import {type ListView, sentence, type View} from '../../../output/view.ts'
import {clockTime, zoneOf} from '../../../output/when.ts'
import type {RequestEvent, WebhookCallEvent} from '../../../sandbox/index.ts'

/** The first event: where the server can be reached. */
export interface ReadyEvent {
  readonly type: 'ready'
  readonly url: string
  /** The file with the certificate that clients must trust; it exists while a TLS server runs. */
  readonly ca?: string
}

export type SandboxEvent = ReadyEvent | RequestEvent | WebhookCallEvent

/** One line per event of `sandbox serve`. */
export const sandboxServeView: View<SandboxEvent | DroppedEvent> = (event, context) => {
  // Log lines aren't cut: the terminal wraps them.
  const line = (styled: Styled) => sentence(styled, {...context, width: Number.POSITIVE_INFINITY})
  switch (event.type) {
    case 'ready':
      return line([
        'listening on ',
        strong(event.url),
        ...(event.ca ? [dim(`  certificate ${event.ca}`)] : []),
        dim(`  times in ${zoneOf(context.now, context)}`),
      ])
    case 'dropped':
      return line(warn(`(${counted(event.count, 'line')} omitted: the reader was too slow)`))
    case 'request': {
      const {at, method, url, status, durationMs, replayed, tenant, token} = event
      return line([
        dim(clockTime(at, context.timeZone)),
        ` ${method.padEnd(6)} ${url}  `,
        status === 0 ? bad('dropped') : paint(status),
        dim(`  ${Math.round(durationMs)} ms`),
        ...(replayed ? [dim('  replayed')] : []),
        ...(tenant === undefined ? [] : [dim(`  ${tenant}, token ${token}`)]),
      ])
    }
    case 'webhook': {
      const {at, to = 'handler', path, status, code, why = '', durationMs, tenant} = event
      return line([
        dim(clockTime(at, context.timeZone)),
        ` calls  ${to} ${path}  `,
        status === undefined ? bad(why) : paint(status),
        ...(code === undefined ? [] : [`  code ${code}`]),
        dim(`  ${Math.round(durationMs)} ms`),
        ...(tenant === undefined ? [] : [dim(`  tenant ${tenant}`)]),
      ])
    }
  }
}

function paint(status: number) {
  if (status >= 500) return bad(String(status))
  return status >= 400 ? warn(String(status)) : ok(String(status))
}

/** What the sandbox is, and what it simulates. */
export const sandboxInfoView: View = (info, context) =>
  detail(
    {
      title: `${textAt(info, 'name')} ${textAt(info, 'version')}`,
      rows: [
        ['Now', textAt(info, 'now')],
        ['Simulated', {lines: textsAt(info, 'simulated')}],
        ['Not simulated', {lines: textsAt(info, 'notSimulated')}],
      ],
    },
    context,
  )

const textsAt = (value: unknown, name: string): readonly string[] => {
  const texts = fieldAt(value, name)
  return Array.isArray(texts) ? texts.map(String) : []
}

/** The main fields of each kind of state; `-o json` has all of them. */
const stateColumns: Readonly<Record<string, readonly string[]>> = {
  card: ['id', 'customerId', 'accountId', 'status', 'maskedCardNumber', 'referenceNumber', 'pinStatus'],
  plastic: ['id', 'cardId', 'sequenceNumber', 'status', 'productionType', 'productionDate'],
}

/** The sandbox's state of one kind. */
export const sandboxStateListView = (kind: string): ListView => {
  if (kind === 'account') return accountStatesView
  if (kind === 'pricelist') return priceListStatesView
  const columns = stateColumns[kind]
  return columns === undefined ? genericListView : chosenView(columns)
}

/** One line for each currency of an account. The account's own fields are on its first line, for a screen reader on each. */
const accountStatesView: ListView = (accounts, context) => {
  const lines = accounts.flatMap(account => {
    const [first, ...others] = listAt(account, 'balances')
    return [
      {account, own: account, balance: first},
      ...others.map(balance => ({account, own: context.accessible === true ? account : undefined, balance})),
    ]
  })
  type Row = (typeof lines)[number]
  const money = (title: string, name: string, isShown = (_: unknown): boolean => true): Column<Row> => ({
    title,
    value: ({balance}) => {
      const value = fieldAt(balance, name)
      return isShown(value) ? amount(value, fieldAt(balance, 'currency')) : ''
    },
    align: 'right',
    fit: 'keep',
    optional: true,
  })
  return table<Row>(
    'balance',
    [
      {title: 'Id', value: ({account}) => textAt(account, 'id'), fit: 'keep'},
      {title: 'Type', value: ({own}) => textAt(own, 'type'), fit: 'wrap', least: 9},
      {title: 'Status', value: ({own}) => state(fieldAt(own, 'status')), fit: 'wrap', least: 8},
      {title: 'Limit', value: ({own}) => amount(fieldAt(own, 'creditLimit')), align: 'right', fit: 'keep'},
      money('Booked', 'booked'),
      money('Held', 'held', value => value !== 0),
      money('Available', 'available'),
      {title: 'Updates', value: ({own}) => textAt(own, 'effects'), align: 'right', fit: 'keep'},
    ],
    lines,
    context,
  )
}

const priceListStatesView: ListView = (lists, context) =>
  table(
    'price list',
    [
      {title: 'Id', value: 'id', fit: 'keep'},
      {title: 'Code', value: 'code'},
      {
        title: 'Periods',
        value: list =>
          listAt(list, 'periods')
            .map(period => joined([textAt(period, 'id'), textAt(period, 'state')]))
            .join(', '),
        fit: 'wrap',
      },
    ],
    lists,
    context,
  )

/** The sandbox's clock. */
export const sandboxClockView: View = genericView

/** The faults that wait for their requests, or the one that was just added. */
export const sandboxFaultsView: View = (faults, context) =>
  table(
    'fault',
    [
      {title: 'Id', value: 'id', fit: 'keep'},
      {title: 'Applies to', value: fault => textAt(fault, 'operation') || 'everything', fit: 'wrap'},
      {title: 'Where', value: whereOf, fit: 'wrap', optional: true},
      {title: 'Does', value: whatItDoes, fit: 'wrap'},
      {title: 'Chance', value: 'probability', align: 'right', fit: 'keep'},
      {title: 'Left', value: 'remaining', align: 'right', fit: 'keep', optional: true},
      {title: 'Used', value: 'struck', align: 'right', fit: 'keep'},
    ],
    Array.isArray(faults) ? faults : [faults],
    context,
    'No faults.',
  )

function whereOf(fault: unknown): string {
  const match = fieldAt(fault, 'match')
  return isObject(match)
    ? Object.entries(match)
        .map(([name, value]) => `${name}=${value}`)
        .join(', ')
    : ''
}

function whatItDoes(fault: unknown): string {
  const [status, delay, drop] = [
    textAt(fault, 'status'),
    numberAt(fault, 'delayMs') ?? 0,
    textAt(fault, 'drop'),
  ]
  return joined(
    [
      delay > 0 ? `waits ${duration(delay)}` : '',
      status === '' ? '' : `responds ${status}`,
      drop === '' ? '' : `drops the connection ${drop} the effect`,
    ],
    ', ',
  )
}

export const sandboxFaultsClearedView: View = (response, context) =>
  sentence([counted(numberAt(response, 'cleared') ?? 0, 'fault'), ' ', ok('removed')], context)

export const sandboxResetView: View = (_, context) => sentence(['The demo data is ', ok('restored')], context)
