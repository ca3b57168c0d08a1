// What a person meets on a terminal: questions, hidden input, confirmations.
import {readdirSync, readFileSync, readlinkSync} from 'node:fs'
import process from 'node:process'
import {describe, expect, test} from 'vitest'
import {emptyHome, run} from '../helpers/binary.ts'
import {hasTmux, openTerminal} from '../helpers/terminal.ts'
import {isWhole} from '../helpers/whole.ts'

/** Whether a process of that home has the terminal open by its name. */
function isReadingTerminal(home: string): boolean {
  const at = (path: string): string => {
    try {
      return path.includes('/fd/') ? readlinkSync(path) : readFileSync(path, 'latin1')
    } catch {
      // It has ended.
      return ''
    }
  }
  return readdirSync('/proc').some(
    pid =>
      at(`/proc/${pid}/environ`).includes(`HOME=${home}\0`) &&
      opensOf(pid).some(path => at(path) === '/dev/tty'),
  )
}

function opensOf(pid: string): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map(fd => `/proc/${pid}/fd/${fd}`)
  } catch {
    return []
  }
}

describe.skipIf(!hasTmux)('on a terminal', () => {
  test('a missing argument is asked for, and the answer is the result', async () => {
    const terminal = openTerminal(await emptyHome())
    terminal.line('cardctl cards get')
    await terminal.shows('? Which of these do you have?')
    terminal.press('Enter')
    await terminal.shows('? Id of the card')
    terminal.press('Enter')
    await terminal.shows('Enter a value.')
    terminal.line('4111111111111111')
    await terminal.shows('That looks like a card number')
    terminal.press('C-u')
    terminal.line('3001')
    expect(await terminal.shows('PIN goes to')).toMatch(/Card 3001 +CARD_OK/)
  })

  test('the menu fits the window whenever it is resized, and leaves nothing behind', async () => {
    const terminal = openTerminal(await emptyHome())
    terminal.resize(80, 24)
    terminal.line('clear; echo before; cardctl')
    await terminal.shows(/Show a card by id, reference number or card …\n[\s\S]*navigate • ⏎ select$/)
    const before = terminal.screen()
    terminal.resize(40, 24)
    await terminal.shows(/❯ find {28}Find…\n[\s\S]*Find a card, customer, account, batch,\nrequest, job/)
    terminal.resize(80, 24)
    await terminal.shows('Show a card by id, reference number or card …')
    expect(before).toContain(terminal.screen())
    terminal.press('C-c')
    const after = await terminal.shows('Nothing was sent or changed.')
    expect(after).not.toContain('cards get')
  })

  test('a watched list fits the window whenever it is resized or stopped, and leaves nothing behind', async () => {
    const terminal = openTerminal(await emptyHome(), {CARDCTL_PROFILE: 'sandbox'})
    terminal.resize(80, 24)
    terminal.line('clear; echo before; cardctl sandbox state list card --all --watch 1h')
    const before = await terminal.shows(/^every 1 h, read at .*\n +id +customerId[\s\S]* and 27 more lines$/)
    terminal.resize(40, 24)
    await terminal.shows(/^every 1 h, read at .*\n +id +3001\n[\s\S]* and \d+ more lines$/)
    terminal.resize(80, 24)
    await terminal.shows(before)
    terminal.resize(20, 5)
    await terminal.shows(/^every 1 h, read at…\n +id\n and \d+ more lines$/)
    terminal.resize(80, 24)
    await terminal.shows(before)
    terminal.press('C-z')
    await terminal.shows(/before\n[\s\S]*Stopped/)
    terminal.line('fg')
    await terminal.shows(before)
    terminal.press('C-c')
    expect(await terminal.shows(/and 27 more lines\n\$$/)).not.toMatch(/every[\s\S]*every/)
  })

  test('a key clears a revealed value and restores the screen', async () => {
    const terminal = openTerminal(await emptyHome(), {CARDCTL_PROFILE: 'sandbox'})
    terminal.line('cardctl pin view 3001 --reveal; echo "ended $?"')
    await terminal.shows('? Continue?')
    terminal.line('y')
    const shown = await terminal.shows('Any key clears this')
    expect(shown).toMatch(/PIN +1234/)
    expect(shown).not.toContain('show the PIN of card 3001 in clear')
    terminal.press('Space')
    const after = await terminal.shows('ended 0')
    expect(after).toContain('Shown, and cleared from the screen.')
    expect(after).not.toContain('1234')
    expect(after).toContain('show the PIN of card 3001 in clear')
  })

  test.runIf(isWhole)('a revealed value stays with --keep; without it, a signal clears it', async () => {
    const terminal = openTerminal(await emptyHome(), {CARDCTL_PROFILE: 'sandbox'})
    terminal.line('cardctl pin view 3001 --reveal --yes --keep')
    expect(await terminal.shows(/PIN +1234[\s\S]*\$$/)).not.toContain('Any key')
    terminal.line(
      'clear; cardctl cards payment-info 3001 --show cvv2 --reveal --yes --no-input; echo "ended $?"',
    )
    await terminal.shows('is cleared, at the latest after')
    terminal.press('C-c')
    const after = await terminal.shows('ended 130')
    expect(after).not.toMatch(/CVV2 +\d/)
  })

  test('Ctrl-C at a question ends with 130', async () => {
    const terminal = openTerminal(await emptyHome())
    terminal.line('cardctl cards get; echo "ended $?"')
    await terminal.shows('? Which of these do you have?')
    terminal.press('C-c')
    expect(await terminal.shows('ended 130')).toContain('Nothing was sent or changed.')
  })

  test.skipIf(process.platform !== 'linux')('Ctrl-C ends the wait for what is typed', async () => {
    const home = await emptyHome()
    const terminal = openTerminal(home)
    for (const line of [
      'cardctl webhook trigger auth --to http://127.0.0.1:1 --data @/dev/tty',
      'cardctl webhook serve --port 0 --auth basic:file:/dev/tty',
    ]) {
      terminal.line(`clear; ${line}; echo "ended $?"`)
      await expect.poll(() => isReadingTerminal(home)).toBe(true)
      terminal.press('C-c')
      expect(await terminal.shows('ended 130')).toContain('Stopped while waiting for input.')
    }
  })

  test('the guided profile checks each answer and never shows the secret', async () => {
    const home = await emptyHome()
    const terminal = openTerminal(home)
    terminal.line('cardctl profiles add')
    await terminal.shows('? Name of the profile')
    terminal.line('Prod')
    await terminal.shows('lower-case letters')
    terminal.press('C-u')
    terminal.line('prod')
    await terminal.shows('What is behind this profile?')
    terminal.press('Down', 'Enter')
    expect(await terminal.shows('? Address of the service')).toMatch(/behind this profile\? live\n/)
    terminal.line('api.example')
    await terminal.shows('It is not an absolute URL')
    terminal.press('C-u')
    terminal.line('https://api.example')
    await terminal.shows("? Audit user: your own name, for the service's log")
    terminal.line('root')
    await terminal.shows('It must name a person')
    terminal.press('C-u')
    terminal.line('aino')
    await terminal.shows('How does the service authenticate requests?')
    terminal.press('Down', 'Enter')
    await terminal.shows('? User name at the service')
    terminal.line('ops')
    await terminal.shows('Password:')
    terminal.line('hunter2hunter2')
    const screen = await terminal.shows('Try it: cardctl profiles test prod')
    expect(screen).toMatch(/Profile prod +LIVE/)
    expect(screen).toContain('•'.repeat(14))
    expect(screen).not.toContain('hunter2')
    expect(JSON.parse((await run(home, ['whoami', '-o', 'json'])).stdout).profile).toBe('sandbox')
  })

  test.runIf(isWhole)('contract map shows the names, asks about an unsure one, and writes them', async () => {
    const home = await emptyHome()
    const terminal = openTerminal(home)
    terminal.line('cardctl profiles add svc --kind test --base-url http://127.0.0.1:1 --auth none >/dev/null')
    terminal.line(
      'cardctl contract export | sed "s/pinBlock/pin_block/; s/customerBID/issuer/" > service.yaml',
    )
    terminal.line('clear; cardctl contract map service.yaml -p svc; echo "ended $?"')
    const asked = await terminal.shows('What does the service call customerBID?')
    expect(asked).toMatch(/pinBlock +pin_block +sure/)
    expect(asked).toMatch(/customerBID +issuer\? +unsure/)
    expect(asked).toContain('leave it as it is: customerBID')
    terminal.press('Enter')
    await terminal.shows('write 2 names to the profile')
    terminal.line('y')
    expect(await terminal.shows('ended 0')).toContain('The profile svc has 2 new names.')
  })

  test.runIf(isWhole)('a note of doctor does not run into its spinner', async () => {
    const terminal = openTerminal(await emptyHome())
    terminal.line('clear; cardctl doctor; echo "ended $?"')
    const screen = await terminal.shows('ended 0')
    expect(screen).toMatch(/^sandbox \(embedded\)/m)
    expect(screen).not.toContain('Checking')
  })

  test('a live profile asks before it sends, and sends nothing after a no', async () => {
    const home = await emptyHome()
    const url = 'https://service.invalid'
    await run(home, ['profiles', 'add', 'prod', '--kind', 'live', '--base-url', url, '--auth', 'none'])
    const terminal = openTerminal(home)
    const change = '--type credit -F creditLimit=5000 -F status=ACCOUNT_OK --audit-user aino -p prod'
    terminal.line(`cardctl accounts patch 2001 ${change}; echo "ended $?"`)
    const asked = await terminal.shows('Type 2001 to confirm:')
    expect(asked).toContain('LIVE prod (service.invalid): change credit account 2001.')
    expect(asked).toMatch(/creditLimit +5[^\d\n]?000\n +status +ACCOUNT_OK/)
    terminal.line('2002')
    await terminal.shows('or n to stop')
    terminal.line('n')
    expect(await terminal.shows('ended 2')).toContain('CONFIRMATION_DECLINED')
  })

  test('asks for a new PIN twice, hidden, and again if it is weak', async () => {
    const home = await emptyHome()
    const terminal = openTerminal(home, {CARDCTL_PROFILE: 'sandbox'})
    terminal.line('cardctl pin set 3004')
    await terminal.shows('New PIN:')
    terminal.line('1234')
    await terminal.shows('ascending series')
    terminal.line('8253')
    await terminal.shows('The same PIN again:')
    terminal.line('8254')
    await terminal.shows(/differ\. Ctrl-C leaves\.\nNew PIN:/)
    terminal.line('8253')
    await terminal.shows(/The same PIN again:[\s\S]*The same PIN again:/)
    // A slip of the finger can be taken back.
    terminal.press('8', '2', '5', '9', 'BSpace', '3', 'Enter')
    const screen = await terminal.shows('PIN of card 3004 set')
    expect(screen).not.toMatch(/8253|8254|1234/)
  })

  test.runIf(isWhole)('the tour runs to its end without a question', async () => {
    const home = await emptyHome()
    const terminal = openTerminal(home)
    terminal.line('cardctl tour; echo "ended $?"')
    expect(await terminal.shows('ended 0')).toContain('That was a sandbox of its own, gone now.')
    expect((await run(home, ['requests', 'list', '-o', 'json', '-p', 'sandbox'])).stdout.trim()).toBe('[]')
  })

  test('long output goes through the pager', async () => {
    const home = await emptyHome()
    const env = {CARDCTL_PROFILE: 'sandbox', CARDCTL_PAGER: 'sed s/^/paged:/'}
    const terminal = openTerminal(home, env)
    terminal.line('cardctl cards list --customer 1003 --all -o yaml; echo "ended $?"')
    expect(await terminal.shows('ended 0')).toMatch(/^paged: /m)
  })
})
