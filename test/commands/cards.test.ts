import {readFile} from 'node:fs/promises'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {parse} from 'yaml'
import CardsList from '../../src/commands/cards/list.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {contractFile} from '../helpers/contract.ts'
import {makeDevice} from '../helpers/device.ts'

const PAN = '4111111111111111'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

describe('cards get', () => {
  it('finds a card by id, by reference and by its number on stdin: the same card', async () => {
    const byId = await home.json<{id: string}>(['cards', 'get', '3001'])
    expect(byId.id).toBe('3001')
    expect(await home.json(['cards', 'get', '--reference', '900000000003001'])).toEqual(byId)
    for (const stdin of [PAN, `${PAN}\n`, '4111 1111 1111 1111\r\n', '4111-1111-1111-1111\n\n']) {
      expect(await home.json(['cards', 'get', '--pan-stdin'], {stdin})).toEqual(byId)
    }
  })

  it.each([
    ['nothing', ''],
    ['an empty line', '\n'],
    ['a number with a wrong check digit', '4111111111111112\n'],
    ['too few digits', '41111111\n'],
    ['words', 'the number of my card\n'],
  ])('takes %s for no card number', async (_, stdin) => {
    const {code, stdout, stderr} = await home.run(['cards', 'get', '--pan-stdin'], {stdin})
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/INPUT_INVALID/)
    if (stdin.trim() !== '') expect(stderr).not.toContain(stdin.trim())
  })

  it('says that a number belongs to no card', async () => {
    const {code, stderr} = await home.run(['cards', 'get', '--pan-stdin'], {stdin: '6011111111111117\n'})
    expect(code).toBe(5)
    expect(stderr).not.toContain('6011111111111117')
  })

  it('refuses a second card number on stdin', async () => {
    const {code, stdout, stderr} = await home.run(['cards', 'get', '--pan-stdin'], {
      stdin: `${PAN}\n${PAN}\n`,
    })
    expect({code, stdout}).toEqual({code: 2, stdout: ''})
    expect(stderr).toContain('stdin has more than one line')
  })

  it('takes one way to name a card only, and wants one', async () => {
    expect((await home.run(['cards', 'get', '3001', '--reference', '900000000003001'])).code).toBe(2)
    expect((await home.run(['cards', 'get', '3001', '--pan-stdin'], {stdin: PAN})).code).toBe(2)
    const nothing = await home.run(['cards', 'get'])
    expect(nothing.code).toBe(2)
    expect(nothing.stderr).toContain('One of ID, --reference, --pan-stdin is needed.')
  })

  it('leaves stdin alone, so that a loop that reads it goes on', async () => {
    const {code, stderr} = await home.run(['cards', 'get'], {stdin: '3001\n3002\n'})
    expect(code).toBe(2)
    expect(stderr).toContain('is needed')
  })

  it('gives v3 with its own names, and warns', async () => {
    const {code, stdout, stderr} = await home.run([
      'cards',
      'get',
      '3001',
      '--api-version',
      'v3',
      '-o',
      'json',
    ])
    expect(code).toBe(0)
    expect(JSON.parse(stderr)).toEqual({
      warning: {
        code: 'DEPRECATED',
        message: 'GET /v3/{id} is deprecated. The service offers GET /v4/{id} instead.',
      },
    })
    expect(JSON.parse(stdout)).toMatchObject({
      truncatedCardNumber: '41111111____1111',
      cardTemplate: 'STANDARD',
    })
  })

  it('chooses parts of the answer', async () => {
    const {stdout} = await home.run(['cards', 'get', '3001', '--query', 'status', '-o', 'json'])
    expect(JSON.parse(stdout)).toBe('CARD_OK')
    const csv = await home.run(['cards', 'get', '3001', '-o', 'csv', '--columns', 'id,embossing.lastName'])
    expect(csv.stdout).toBe('id,embossing.lastName\n3001,Virtanen\n')
  })
})

describe('what was pasted', () => {
  it.each([[' 3001'], ['3001\t'], ['\u00a03001 ']])('an id is found with spaces around it: %j', async id => {
    expect(await home.json(['cards', 'get', id])).toMatchObject({id: '3001'})
    expect(await home.run(['cards', 'list', '--account', ' 2001 '])).toMatchObject({code: 0})
  })

  it.each([
    ['cards get --reference', ' 900000000003001 '],
    ['remotecheckout get --customer 1001 --bid', ' SANDBOX\t'],
    ['requests list --job', ' j_01M81W4TSQRTTRZ8PXSRQAYABY '],
    ['requests list --resource', ' card:3001 '],
    ['find --bid X', ' 3001 '],
    ['a2a get', ' 88000 '],
    ['history card', ' 3001 '],
    ['sandbox state show card', ' 3001 '],
  ])('%s takes it without the spaces around it', async (words, value) => {
    await home.run(['remotecheckout', 'enroll', '--customer', '1001', '--card', '3001'])
    await home.run(['sandbox', 'clock', 'advance', '1m'])
    const argv = words.split(' ')
    const [pasted, typed] = [await home.run([...argv, value]), await home.run([...argv, value.trim()])]
    expect(pasted).toEqual(typed)
    expect(typed.code).toBe(0)
  })

  it.each([[' '], ['']])('%j is no id', async id => {
    expect(await home.run(['cards', 'get', id])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is empty'),
    })
  })
})

describe('cards list', () => {
  const list = ['cards', 'list', '--customer', '1003']
  const ids = (items: readonly {id: string}[]): number[] => items.map(({id}) => Number(id))
  const from = (count: number): number[] => Array.from({length: count}, (_, at) => 3101 + at)

  it('gives everything to a program, and the first page to a terminal', async () => {
    const piped = await home.run([...list, '-o', 'json'])
    expect(ids(JSON.parse(piped.stdout))).toEqual(from(35))
    expect(piped.stderr).toBe('')
    const shown = await home.run([...list, '-o', 'json'], {columns: 80})
    expect(ids(JSON.parse(shown.stdout))).toEqual(from(30))
    expect(shown.stderr).toContain('There is more: --all')
    const quiet = await home.run([...list, '-o', 'json', '-q'], {columns: 80})
    expect(ids(JSON.parse(quiet.stdout))).toEqual(from(35))
  })

  it('says in JSON that a limit left something out', async () => {
    const {stdout, stderr} = await home.run([...list, '--limit', '3', '-o', 'json'])
    expect(ids(JSON.parse(stdout))).toEqual(from(3))
    expect(JSON.parse(stderr)).toMatchObject({note: {code: 'MORE_RESULTS'}})
  })

  it('returns everything with --all, over pages of any size, once each', async () => {
    for (const size of ['1', '7', '35', '36', '100']) {
      const {stdout, stderr} = await home.run([...list, '--all', '--page-size', size, '-o', 'json'])
      expect(ids(JSON.parse(stdout))).toEqual(from(35))
      expect(stderr).not.toContain('There is more')
    }
  })

  it.each([
    ['1', '30', true],
    ['30', '30', true],
    ['31', '30', true],
    ['34', '10', true],
    ['35', '10', false],
    ['100', '30', false],
  ])('gives at most --limit %s, by %s, and says whether there is more: %s', async (limit, size, isMore) => {
    const {stdout, stderr} = await home.run([...list, '--limit', limit, '--page-size', size, '-o', 'json'])
    expect(ids(JSON.parse(stdout))).toEqual(from(Math.min(Number(limit), 35)))
    expect(stderr.includes('There is more')).toBe(isMore)
  })

  it('says nothing but the data with --quiet', async () => {
    const {stdout, stderr} = await home.run([...list, '--limit', '2', '-q', '-o', 'csv', '--columns', 'id'])
    expect(stdout).toBe('id\n3101\n3102\n')
    expect(stderr).toBe('')
  })

  it('streams NDJSON, a card a line', async () => {
    const {stdout} = await home.run([...list, '--all', '-o', 'ndjson'])
    const lines = stdout.trimEnd().split('\n')
    expect(ids(lines.map(line => JSON.parse(line) as {id: string}))).toEqual(from(35))
  })

  it('gives the cards of an account, and an empty list as one', async () => {
    const cards = await home.json<{id: string}[]>(['cards', 'list', '--account', '2001'])
    expect(cards.map(({id}) => id)).toContain('3001')
    expect(await home.json(['cards', 'list', '--account', '2008'])).toEqual([])
  })

  it('warns of v3 once, however many pages', async () => {
    const {code, stderr} = await home.run([...list, '--api-version', 'v3', '--all', '--page-size', '5'])
    expect(code).toBe(0)
    expect(stderr.match(/is deprecated/g)).toHaveLength(1)
  })

  it.each([
    [[]],
    [['--customer', '1003', '--account', '2001']],
    [['--customer', '1003', '--all', '--limit', '3']],
    [['--customer', '1003', '--page-size', '101']],
    [['--customer', '1003', '--limit', '0']],
  ])('refuses %j', async flags => {
    const {code, stdout} = await home.run(['cards', 'list', ...flags])
    expect(code).toBe(2)
    expect(stdout).toBe('')
  })
})

describe('cards list --status', () => {
  interface Card {
    readonly id: string
    readonly status: string
  }
  const list = (...flags: string[]) => home.json<Card[]>(['cards', 'list', '--customer', '1003', ...flags])

  it('chooses from all pages, whatever their size, up to --limit', async () => {
    const all = await list('--all')
    const wanted = all.filter(({status}) => status !== 'CARD_OK').map(({status}) => status)
    const flags = [...new Set(wanted)].flatMap(status => ['--status', status])
    expect(wanted.length).toBeGreaterThan(1)
    for (const size of [[], ['--page-size', '1'], ['--all']]) {
      expect(await list(...flags, ...size)).toEqual(all.filter(({status}) => wanted.includes(status)))
    }
    expect(await list(...flags, '--limit', '1')).toHaveLength(1)
    const {stderr} = await home.run(['cards', 'list', '--customer', '1003', ...flags, '--limit', '1'])
    expect(stderr).not.toContain('There is more')
  })

  it('takes the statuses of the contract, and no other', async () => {
    const known = parse(await readFile(contractFile, 'utf8')) as {
      components: {schemas: {CardStatus: {enum: string[]}}}
    }
    const {enum: statuses} = known.components.schemas.CardStatus
    expect(CardsList.flags.status.options).toEqual(statuses)
    const {code, stderr} = await home.run(['cards', 'list', '--customer', '1003', '--status', 'BLOCKED'])
    expect({code, stderr}).toEqual({code: 2, stderr: expect.stringContaining('CARD_BLOCKED')})
  })
})

describe('cards payment-info', () => {
  const command = ['cards', 'payment-info', '3001']

  it('masks what it shows', async () => {
    const info = await home.json<Record<string, string>>(command)
    expect(info).toEqual({
      cardId: '3001',
      fullCardNumber: '411111••••••1111',
      expirationDate: expect.stringMatching(/^\d\d\/?\d\d$/),
      cvv2: '•••',
    })
  })

  it('reveals with --reveal --yes, and not on a pipe without', async () => {
    const refused = await home.run([...command, '--reveal'])
    expect(refused.code).toBe(2)
    expect(refused.stdout).toBe('')
    expect(refused.stderr).toContain('--yes')
    const {fullCardNumber, cvv2} = await home.json<Record<string, string>>([...command, '--reveal', '--yes'])
    expect(fullCardNumber).toBe(PAN)
    expect(cvv2).toMatch(/^\d{3}$/)
  })

  it('asks for the fields of --show only', async () => {
    const show = ['--show', 'cvv2,fullCardNumber']
    expect(Object.keys(await home.json(command.concat(show)))).toEqual(['cardId', 'fullCardNumber', 'cvv2'])
    expect((await home.run([...command, '--show', 'pin'])).code).toBe(2)
  })

  it('hands the ciphertexts to the device that has the key', async () => {
    const device = await makeDevice(home)
    const {code, stdout, stderr} = await home.run([
      ...command,
      '--show=fullCardNumber',
      '--public-key',
      device.publicKeyFile,
      '--json',
    ])
    expect(code).toBe(0)
    expect(stderr).toMatch(/device key SHA-256 [0-9a-f]{64}/)
    expect(stdout + stderr).not.toContain(PAN)
    const {fullCardNumber} = JSON.parse(stdout) as {fullCardNumber: string}
    expect(device.open(fullCardNumber).toString()).toBe(PAN)
  })

  it.each([
    ['no file', 'nowhere.pem', /cannot be read: it does not exist/],
    ['no key', import.meta.filename, /key/i],
  ])('refuses %s as a key', async (_, file, words) => {
    const {code, stdout, stderr} = await home.run([...command, '--public-key', file])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(words)
  })

  it('shows a dry run without a question, and neither key nor number in it', async () => {
    const {code, stdout} = await home.run([...command, '--reveal', '--dry-run'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({method: 'POST', body: {fields: expect.any(Array)}})
  })
})

describe('cards plastics and control-token', () => {
  it('lists the plastics', async () => {
    expect(await home.json(['cards', 'plastics', '3001'])).toMatchObject([{id: '7001', status: 'ACTIVE'}])
  })

  it('gets a token for a card of any state, and a new one each time', async () => {
    const tokens = new Set<string>()
    for (const id of ['3001', '3002', '3005']) {
      const {token} = await home.json<{token: string}>(['cards', 'control-token', id])
      tokens.add(token)
    }
    expect(tokens.size).toBe(3)
    expect((await home.run(['cards', 'control-token', '9999'])).code).toBe(5)
  })
})
