// Amounts look the same in every locale, and data have none of what is for people.
import {afterEach, beforeEach, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
  const transfers = ['2006:2007:10582.5:EUR', '2006:2007:1234567:JPY', '2006:2007:1000.125:KWD']
  const flags = transfers.flatMap(transfer => ['--transfer', transfer])
  await home.run(['a2a', 'create', ...flags, '--yes', '--same-rows', '0'])
})
afterEach(() => home.remove())

const LOCALES = [
  {},
  {LANG: 'de_DE.UTF-8'},
  {LANG: 'fi_FI.UTF-8', LC_NUMERIC: 'fi_FI.UTF-8'},
  {LC_ALL: 'fr_FR.UTF-8'},
  {LC_ALL: 'hi_IN.UTF-8'},
  {LC_ALL: 'ar_EG.UTF-8'},
  {LC_ALL: 'C'},
]

it('are shown with a point, all decimals of the currency and groups of three', async () => {
  const shown: string[] = []
  for (const env of LOCALES) {
    const {stdout} = await home.run(['a2a', 'list', '--limit', '1'], {env})
    // A terminal without UTF-8 gets spaces.
    const page = {stdout: env.LC_ALL === 'C' ? stdout.replaceAll(/(?<=\d) (?=\d{3})/g, '\u202f') : stdout}
    expect(page.stdout).toContain('EUR 10\u202f582.50')
    expect(page.stdout).toContain('JPY 1\u202f234\u202f567')
    expect(page.stdout).toContain('KWD 1\u202f000.125')
    shown.push(page.stdout.match(/[A-Z]{3} [\d\u202f.]+/g)?.join(' ') ?? '')
  }
  expect(new Set(shown).size).toBe(1)
})

it.each(['json', 'ndjson', 'csv', 'yaml'])('are never grouped in %s', async format => {
  const texts: string[] = []
  for (const env of LOCALES) {
    const {code, stdout} = await home.run(['a2a', 'list', '--limit', '1', '-o', format], {env})
    expect(code).toBe(0)
    expect(stdout).toContain('10582.5')
    expect(stdout).toContain('1234567')
    expect(stdout).not.toMatch(/10[,.\u202f\u00a0 ]582|1[,.\u202f\u00a0 ]234/)
    texts.push(stdout)
  }
  expect(new Set(texts).size).toBe(1)
})
