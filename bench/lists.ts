// Lists in a data folder with a million records of each kind, compared with the same commands in an empty one.
import {join} from 'node:path'
import process from 'node:process'
import {fillCards, fillRecords, JOB} from './full-records.ts'
import {BINARY} from './home.ts'
import {measureMemory, measureRounds, type Program, processor, type Rounds, wall} from './measure-process.ts'
import {median, pairedRatio} from './statistics.ts'
import type {Measured, Options, Suite} from './suite.ts'

const RECORDS = 1_000_000
/** Fewer than records, because every page of 100 cards is a request. */
const CARDS = 20_000
const CUSTOMER = '1001'

export const lists: Suite = {
  name: 'lists',
  title: 'Lists',
  async run({runs, home, env: own}: Options): Promise<Measured> {
    const folders = {empty: join(home, 'empty'), full: join(home, 'full')}
    fillRecords(folders.full, RECORDS)
    await fillCards(folders.full, CUSTOMER, CARDS)
    const env = {...own, CARDCTL_PROFILE: 'sandbox'}
    const programs = Object.entries(folders).flatMap(([name, folder]) => [
      list(
        `audit list, ${name}`,
        folder,
        ['audit', 'list', '--limit', '30'],
        name === 'full' ? /1000000/ : /^No /m,
      ),
      list(
        `requests list, ${name}`,
        folder,
        ['requests', 'list', '--limit', '30'],
        name === 'full' ? /r_\S+/ : /^No /m,
      ),
    ])
    const rounds = await measureRounds(programs, env, runs)
    const whole = {
      results: list('bulk results -o ndjson', folders.full, ['bulk', 'results', JOB, '-o', 'ndjson'], /./),
      audit: list('audit list -o json', folders.full, ['audit', 'list', '-o', 'json'], /./),
      cards: list(
        'cards list --all -o ndjson',
        folders.full,
        ['cards', 'list', '--customer', CUSTOMER, '--all', '-o', 'ndjson'],
        /./,
      ),
    }
    const memory = {
      results: await measureMemory(whole.results, env),
      audit: await measureMemory(whole.audit, env),
      cards: await measureMemory(whole.cards, env),
    }
    const rows = [
      ...programs.map(({name}) => {
        const values = rounds.get(name) ?? []
        const base = name.replace('full', 'empty')
        return [
          name,
          median(values.map(wall)).toFixed(0),
          median(values.map(processor)).toFixed(0),
          ratio(rounds, name, base, wall).toFixed(2),
          ratio(rounds, name, base, processor).toFixed(2),
          '-',
        ]
      }),
      [whole.results.name, '-', '-', '-', '-', memory.results.toFixed(0)],
      [whole.audit.name, '-', '-', '-', '-', memory.audit.toFixed(0)],
      [whole.cards.name, '-', '-', '-', '-', memory.cards.toFixed(0)],
    ]
    return {
      about: `The newest 30 of ${RECORDS.toLocaleString('en')} audit entries and of as many requests, compared with the same commands in an empty data folder. Wall and CPU are medians in ms. The last three commands are measured once, for their peak memory: all results of a bulk job of ${RECORDS.toLocaleString('en')} rows, as many audit entries, and all ${CARDS.toLocaleString('en')} cards of a customer.`,
      columns: ['', 'wall', 'CPU', 'of empty', 'CPU of empty', 'peak MB'],
      rows,
      figures: {
        'audit list, of an empty trail': ratio(rounds, 'audit list, full', 'audit list, empty', wall),
        'requests list, of an empty journal': ratio(
          rounds,
          'requests list, full',
          'requests list, empty',
          wall,
        ),
        'bulk results, peak memory in MB': memory.results,
        'audit list -o json, peak memory in MB': memory.audit,
        'cards list --all, peak memory in MB': memory.cards,
      },
      skipped: [],
      versions: {},
    }
  },
}

function list(name: string, data: string, argv: readonly string[], prints: RegExp): Program {
  return {name, argv: [process.execPath, BINARY, ...argv], env: {CARDCTL_DATA_DIR: data}, prints}
}

function ratio(rounds: Rounds, name: string, base: string, of: typeof wall): number {
  return pairedRatio((rounds.get(name) ?? []).map(of), (rounds.get(base) ?? []).map(of))
}
