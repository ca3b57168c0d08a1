// A person decides in the terminal: what they see, what their keys do, and that the terminal is theirs again afterwards.
import {describe, expect, test} from 'vitest'
import {emptyHome} from '../helpers/binary.ts'
import {hasTmux, openTerminal, type Terminal} from '../helpers/terminal.ts'
import {callOf} from '../webhook/calls.ts'

async function asking(flags = '--deadline 60s'): Promise<{terminal: Terminal; url: string}> {
  const terminal = openTerminal(await emptyHome())
  terminal.line(`cardctl webhook serve --ask ${flags}; echo "ended $?"; stty -a | grep -o '[-]*icanon'`)
  const screen = await terminal.shows('decides: you')
  const [, url = ''] = /listening on (\S+)/.exec(screen) ?? []
  return {terminal, url}
}

const post = async (url: string, scenario: string, id: string) => {
  const answer = await fetch(`${url}/auth`, {method: 'POST', body: JSON.stringify(callOf(scenario, id))})
  return {status: answer.status, body: await answer.json()}
}

/** A key so soon after another call came up would be taken for a slip. */
const look = () => new Promise(resolve => setTimeout(resolve, 500))

const reply = (code: string, more: object = {}) => ({
  status: 200,
  body: {transactionData: {authResponseCode: {code}, ...more}},
})

describe.skipIf(!hasTmux)('--ask on a terminal', () => {
  test('keys approve, decline or partially approve the selected call', async () => {
    const {terminal, url} = await asking()
    const fuel = post(url, 'fuel', 'a')
    await terminal.shows(/5\d\.\d s {2}Fuel pump {2}EUR 100\.00 {2}a approve {2}d decline {2}p part/)
    const coffee = post(url, 'contactless', 'b')
    await terminal.shows(/\[1\] Fuel pump.*2 other/)
    const atm = post(url, 'atm', 'c')
    await terminal.shows(/\[1\] Fuel pump.*2 3 other/)
    await look()
    terminal.press('3')
    await terminal.shows(/\[3\] ATM Helsinki/)
    await look()
    terminal.press('d')
    await terminal.shows('code 51_')
    terminal.press('0', '5', 'Enter')
    expect(await atm).toEqual(reply('05'))
    await terminal.shows(/\[1\] Fuel pump/)
    await look()
    terminal.press('p', '3', '0')
    await terminal.shows('part, EUR 30_')
    terminal.press('Enter')
    expect(await fuel).toEqual(reply('10', {partialApprovalAmount: {amount: 30, currency: 'EUR'}}))
    await terminal.shows(/\d s {2}Kahvila Aino/)
    await look()
    terminal.press('a')
    expect(await coffee).toEqual(reply('00'))
    const screen = await terminal.shows(/auth Kahvila Aino.*approve.*by ask/)
    expect(screen).toMatch(/auth ATM Helsinki.*decline 05.*by ask/)
    expect(screen).toMatch(/auth Fuel pump.*partial 10[\s\S]*approved EUR 30.00 {2}by ask/)
    // The line is gone, and nothing of it is left.
    expect(screen).not.toContain('a approve')
  })

  test('an impossible answer is explained, and asked again', async () => {
    const {terminal, url} = await asking()
    const fuel = post(url, 'fuel', 'a')
    await terminal.shows('p part')
    await look()
    terminal.press('p', '5', '0', '0', 'Enter')
    await terminal.shows('Fuel pump: the partial amount is not between zero and the requested amount')
    // The entry is still open: digits correct the amount, and only Esc leads back to the keys.
    await terminal.shows('type it again')
    terminal.press('5', '0', 'Enter')
    expect(await fuel).toEqual(reply('10', {partialApprovalAmount: {amount: 50, currency: 'EUR'}}))
  })

  test('an unanswered call is late', async () => {
    const {terminal, url} = await asking('--deadline 1s')
    expect((await post(url, 'chip', 'a')).status).toBe(503)
    expect(await terminal.shows('LATE')).not.toContain('a approve')
  })

  test('Ctrl-C ends with 130 while a call waits, and restores the terminal', async () => {
    const {terminal, url} = await asking()
    const waiting = post(url, 'chip', 'a').catch(() => undefined)
    await terminal.shows('a approve')
    terminal.press('C-c')
    const screen = await terminal.shows('ended 130\nicanon')
    expect(screen).not.toContain('a approve')
    await waiting
  })
})
