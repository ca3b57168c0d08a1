// Every exit code is in the table that a person opens first.
import {expect, test} from 'vitest'
import {errorRegistry} from '../../src/errors/registry.ts'
import {withExitCodes} from '../../tools/docs/exit-codes.ts'
import {pages} from './pages.ts'

test('the page of what to do when things go wrong has every exit code', () => {
  const {text = ''} = pages().find(({path}) => path === 'docs/when-things-go-wrong.md') ?? {}
  const rows = [...text.matchAll(/^\| \**(\d[\d, ]*)\** \|/gm)].flatMap(([, codes = '']) => codes.split(', '))
  const exits = new Set(Object.values(errorRegistry).map(({exit}) => String(exit)))
  expect(rows.sort()).toEqual([...exits].sort())
})

test('a number beside an error code is made the true one, and other words stay', () => {
  expect(withExitCodes('(`ALREADY_SENT`, exit 2; exit 11), `NO_CODE`, exit 3')).toBe(
    '(`ALREADY_SENT`, exit 14; exit 11), `NO_CODE`, exit 3',
  )
})
