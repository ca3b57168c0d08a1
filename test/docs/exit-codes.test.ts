// Every exit code is in the table that a person opens first.
import {globSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {errorRegistry, exitOf} from '../../src/errors/registry.ts'
import {withExitCodes} from '../../tools/docs/exit-codes.ts'
import {pages} from './pages.ts'

/** A process that the system ends, or Node for want of memory, says nothing itself. */
const OF_THE_SYSTEM = ['133', '134', '137']

test('the page of what to do when things go wrong has every exit code', () => {
  const {text = ''} = pages().find(({path}) => path === 'docs/when-things-go-wrong.md') ?? {}
  const rows = [...text.matchAll(/^\| \**(\d[\d, ]*)\** \|/gm)].flatMap(([, codes = '']) => codes.split(', '))
  const exits = new Set([...Object.values(errorRegistry).map(({exit}) => String(exit)), ...OF_THE_SYSTEM])
  expect(rows.sort()).toEqual([...exits].sort())
})

test('a number beside an error code is made the true one, and other words stay', () => {
  expect(withExitCodes('(`ALREADY_SENT`, exit 2; exit 11), `NO_CODE`, exit 3')).toBe(
    '(`ALREADY_SENT`, exit 14; exit 11), `NO_CODE`, exit 3',
  )
})

/** What every start evaluates can't name the registry, which is large. */
const AT_START = new Map([
  ['src/cli/flags.ts', exitOf('ANSWER_DIFFERS')],
  ['src/profiles/settings.ts', exitOf('ANSWER_DIFFERS')],
])

/** What people type when they search. */
const TYPED = 'src/cli/help/asked/*.ts'

test('texts of the sources take exit codes from the registry', () => {
  const NUMBER = /\b[Ee]xits? (?:code )?(?:with )?(?!0\b)(\d+)/
  const named = globSync('src/**/*.{ts,json}', {exclude: ['**/*.gen.*', TYPED]}).flatMap(path =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter(line => !/^\s*(?:\/?\*|\/\/)/.test(line))
      .flatMap(line => NUMBER.exec(line)?.[1] ?? [])
      .filter(number => Number(number) !== AT_START.get(path))
      .map(number => `${path}: ${number}`),
  )
  expect(named).toEqual([])
})
