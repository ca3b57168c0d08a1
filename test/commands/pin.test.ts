import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {controlId, makeDevice} from '../helpers/device.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

interface Shown {
  readonly pin: string
}

const revealed = async (card: string): Promise<string> =>
  (await home.json<Shown>(['pin', 'view', card, '--reveal', '--yes'])).pin

describe('pin view', () => {
  it('shows as many bullets as the PIN has digits, and the PIN with --reveal --yes', async () => {
    expect(await home.json(['pin', 'view', '3001'])).toEqual({cardId: '3001', plasticId: '7001', pin: '••••'})
    expect(await revealed('3001')).toBe('1234')
  })

  it('says how the hidden PIN is shown', async () => {
    const {stdout, stderr} = await home.run(['pin', 'view', '3001'])
    expect(stdout).toContain('••••')
    expect(stderr).toContain('Hidden. --reveal shows it')
  })

  it('does not reveal on a pipe without --yes, and asks nothing of the service then', async () => {
    const {code, stdout, stderr} = await home.run(['pin', 'view', '3001', '--reveal'])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain('Add --yes')
    expect(await home.json(['requests', 'list'])).toEqual([])
  })

  it('says which plastic it took, and takes another by name only if the card has it', async () => {
    const {stdout} = await home.run(['pin', 'view', '3001', '--plastic', '7001'])
    expect(stdout).toMatch(/Plastic +7001/)
    const other = await home.run(['pin', 'view', '3001', '--plastic', '7004'])
    expect(other.code).toBe(5)
    expect(other.stderr).toContain('Card 3001 has no plastic 7004')
  })

  it.each(['9999', '%2f'])('finds no card %s', async card => {
    expect((await home.run(['pin', 'view', card])).code).toBe(5)
  })
})

describe('pin set', () => {
  it.each(['8253', '82531', '902518264735'])(
    'sets %s from one line of stdin, so that view shows it',
    async pin => {
      const {code, stdout, stderr} = await home.run(['pin', 'set', '3004'], {stdin: `${pin}\n`})
      expect(code).toBe(0)
      expect(stdout).toBe('PIN of card 3004 set, plastic 7004\n')
      expect(stdout + stderr).not.toContain(pin)
      expect(await revealed('3004')).toBe(pin)
      expect(await home.json(['cards', 'get', '3004'])).toMatchObject({pinStatus: 'S'})
    },
  )

  it.each([
    ['digits in a row', '3456', /series/],
    ['a digit again and again', '7777', /digit/],
    ['the end of the card number', '1111', /./],
    ['three digits', '123', /4 to 12/],
    ['thirteen digits', '1234567890123', /4 to 12/],
    ['letters', 'abcd', /digits/],
    ['nothing', '', /empty/],
    ['an empty line', '\n', /./],
  ])('refuses %s', async (_, pin, words) => {
    const {code, stdout, stderr} = await home.run(['pin', 'set', '3001'], {stdin: pin})
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(words)
    if (pin.length > 1) expect(stderr).not.toContain(pin)
    expect(await revealed('3001')).toBe('1234')
  })

  it('refuses a second line of stdin, which would be lost unseen', async () => {
    const {code, stdout, stderr} = await home.run(['pin', 'set', '3001'], {stdin: '8253\n9164\n'})
    expect({code, stdout}).toEqual({code: 2, stdout: ''})
    expect(stderr).toContain('stdin has more than one line')
    expect(stderr).not.toMatch(/8253|9164/)
    expect(await revealed('3001')).toBe('1234')
    // Blank lines at the end are none.
    expect((await home.run(['pin', 'set', '3001'], {stdin: '8253\r\n\n'})).code).toBe(0)
  })

  it('takes a weak PIN with --allow-weak on a sandbox, but no impossible one', async () => {
    expect((await home.run(['pin', 'set', '3004', '--allow-weak'], {stdin: '1234'})).code).toBe(0)
    expect(await revealed('3004')).toBe('1234')
    expect((await home.run(['pin', 'set', '3004', '--allow-weak'], {stdin: '12'})).code).toBe(2)
  })

  it('works by v2 too, with a warning', async () => {
    const {code, stderr} = await home.run(['pin', 'set', '3004', '--api-version', 'v2'], {stdin: '8253\n'})
    expect(code).toBe(0)
    expect(stderr).toContain('POST /v2/set is deprecated')
    const {stdout} = await home.run('pin view 3004 --api-version v2 --reveal --yes -o json'.split(' '))
    expect(JSON.parse(stdout)).toMatchObject({pin: '8253'})
  })

  it('leaves every step in the journal, and no PIN in it', async () => {
    await home.run(['pin', 'set', '3004'], {stdin: '825391\n'})
    const entries = await home.json<{operation: string; state: string}[]>(['requests', 'list'])
    expect(entries.map(({operation, state}) => `${operation} ${state}`).reverse()).toEqual([
      'pincontrol.create.v2 done',
      'pin.tzpk.v3 done',
      'pin.set.v3 done',
    ])
    expect(JSON.stringify(entries)).not.toContain('825391')
    // The control id alone is enough to set a PIN while it lives.
    expect(entries.map(entry => 'replyId' in entry)).toEqual([false, false, false])
  })
})

describe.each(['v2', 'v3'] as const)("the parts for a cardholder's device, %s", version => {
  const api = ['--api-version', version]

  it('let the device set a PIN and read it, and see neither', async () => {
    const device = await makeDevice(home, version)
    const id = await controlId(home, '7001', 'set')
    const control = ['--control-id', id, ...api]
    const key = ['--public-key', device.publicKeyFile]
    const {tzpk} = await home.json<{tzpk: string}>(['pin', 'tzpk', ...control, ...key])
    const stdin = `${device.pinBlock(tzpk, '60473')}\n`
    const {code, stdout, stderr} = await home.run(['pin', 'set', ...control, '--pin-block-stdin'], {stdin})
    expect(stderr).not.toContain('Error')
    expect(code).toBe(0)
    expect(stdout + stderr).not.toContain('60473')
    expect(await revealed('3001')).toBe('60473')

    const viewId = await controlId(home, '7001', 'view')
    const second = await makeDevice(home, version)
    const view = ['pin', 'view', '--control-id', viewId, '--public-key', second.publicKeyFile, ...api]
    expect(second.readPin(await home.json(view))).toBe('60473')
    // A control id is good for one view.
    expect((await home.run(view)).code).toBe(6)
  })

  it('refuse a control id of the other scope', async () => {
    const device = await makeDevice(home, version)
    const id = await controlId(home, '7001', 'set')
    const view = ['pin', 'view', '--control-id', id, '--public-key', device.publicKeyFile, ...api]
    expect((await home.run(view)).code).toBe(6)
  })
})

describe('what the device parts need', () => {
  it.each([
    ['pin tzpk'],
    ['pin tzpk --control-id env:HOME'],
    ['pin tzpk --public-key k.pem'],
    ['pin view --control-id env:HOME'],
    ['pin view --public-key k.pem'],
    ['pin view 3001 --control-id env:HOME --public-key k.pem'],
    ['pin set --control-id env:HOME'],
    ['pin set --pin-block-stdin'],
    ['pin set 3001 --control-id env:HOME --pin-block-stdin'],
    ['pin set'],
    ['pin view'],
  ])('%s is not enough, or too much', async line => {
    const {code, stdout, stderr} = await home.run(line.split(' '), {stdin: 'x\n'})
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/USAGE|INPUT_INVALID/)
  })

  it('a control id in the command line is refused, and not quoted', async () => {
    for (const line of [
      'pin tzpk --control-id c-17 --public-key k.pem',
      'pin view --control-id c-17 --public-key k.pem',
      'pin set --control-id c-17 --pin-block-stdin',
    ]) {
      const {code, stdout, stderr} = await home.run(line.split(' '), {stdin: 'AAAA\n'})
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain('SENSITIVE_IN_ARGV')
      expect(stderr).toContain('--control-id env:NAME')
      expect(stderr).not.toContain('c-17')
    }
  })

  it('a control id lives for 30 seconds of the sandbox', async () => {
    const device = await makeDevice(home)
    const id = await controlId(home, '7001', 'view')
    await home.json(['sandbox', 'clock', 'advance', '31s'])
    const {code, stderr} = await home.run([
      ...['pin', 'view', '--control-id', id],
      ...['--public-key', device.publicKeyFile],
    ])
    expect(code).toBe(5)
    expect(stderr).toContain('410')
  })

  it('a key of the wrong size is refused before anything is sent', async () => {
    const small = await makeDevice(home, 'v2')
    const {code, stderr} = await home.run([
      ...['pin', 'view', '--control-id', 'env:HOME', '--public-key', small.publicKeyFile],
    ])
    expect(code).toBe(2)
    expect(stderr).toContain('KEY_INVALID')
    expect(await home.json(['requests', 'list'])).toEqual([])
  })

  it('a block that is none is not sent', async () => {
    const {code, stderr} = await home.run(['pin', 'set', '--control-id', 'env:HOME', '--pin-block-stdin'], {
      stdin: 'not base64!\n',
    })
    expect(code).toBe(2)
    expect(stderr).not.toContain('not base64!')
  })
})

describe('pincontrol create', () => {
  it('gives a control id for a plastic', async () => {
    const {id} = await home.json<{id: string}>(['pincontrol', 'create', '7001', '--scope', 'view'])
    expect(id).toMatch(/\S{8,}/)
  })

  it('needs a scope and a plastic that exists', async () => {
    expect((await home.run(['pincontrol', 'create', '7001'])).code).toBe(2)
    expect((await home.run(['pincontrol', 'create', '7999', '--scope', 'set'])).code).toBe(5)
  })
})
