import {readdir, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {reply} from '../helpers/service.ts'
import {addProfile, errorCode, newHome, newService} from './scene.ts'

const PAN = '4111111111111111'

interface Line {
  readonly kind: string
}

describe('a card number is refused anywhere on the command line', () => {
  const shapes: [string, string[]][] = [
    ['as an argument', ['cards', 'get', PAN]],
    ['in groups with dashes', ['cards', 'get', '4111-1111-1111-1111']],
    ['in groups with spaces', ['cards', 'get', '4111 1111 1111 1111']],
    ['in groups with dots', ['cards', 'get', '4111.1111.1111.1111']],
    ['with invisible characters', ['cards', 'get', '4111\u200b1111\u200b1111\u200b1111']],
    ['in digits of another script', ['cards', 'get', '٤١١١١١١١١١١١١١١١']],
    ['percent-encoded', ['api', 'GET', '/v4/%34111111111111111']],
    ['at the end of a longer run of digits', ['cards', 'get', `9999${PAN}`]],
    ['at the beginning of one', ['cards', 'get', `${PAN}99999`]],
    ['in a path of api', ['api', 'GET', `/v4/${PAN}`]],
    ['as the value of a flag', ['cards', 'list', `--customer=${PAN}`]],
    ['in the value of a member', ['accounts', 'patch', '2001', '--type', 'credit', '-F', `name=for ${PAN}`]],
    ['before the command is looked up', ['nonsense', PAN]],
    ['beside --help', ['cards', 'get', PAN, '--help']],
  ]
  test.each(shapes)('%s', async (_, argv) => {
    const home = await newHome()
    const refused = await home.run([...argv, '-o', 'json'])
    expect([refused.code, errorCode(refused)]).toEqual([2, 'SENSITIVE_IN_ARGV'])
    expect(refused.stdout + refused.stderr).not.toContain(PAN)
  })

  test('before anything is sent or written down', async () => {
    const [home, service] = [await newHome(), await newService()]
    await addProfile(home, 'staging', 'test', service.url)
    await home.run(['accounts', 'patch', '2001', '--type', 'credit', '-F', `name=${PAN}`, '-p', 'staging'])
    expect(service.connections).toBe(0)
    expect(await home.json(['requests', 'list', '-p', 'staging'])).toEqual([])
  })
})

test('UUIDs, timestamps, other references and numbers that fail Luhn pass', async () => {
  const home = await newHome()
  const passing = [
    '900000000003001',
    '4111111111111112',
    '1732255200000',
    '2026-11-22T05:54:04.069Z',
    '123e4567-e89b-12d3-a456-426614174000',
  ]
  for (const text of passing)
    expect(errorCode(await home.run(['cards', 'get', text, '-o', 'json']))).toBe('NOT_FOUND')
})

test('a reference that is refused all the same passes with --not-a-card-number', async () => {
  const home = await newHome()
  const seen = await home.run(['cards', 'get', PAN, '--not-a-card-number', '-o', 'json'])
  expect([seen.code, errorCode(seen)]).toEqual([5, 'NOT_FOUND'])
})

test('a sensitive field in -F, -f or a literal --data is refused before anything is sent', async () => {
  const [home, service] = [await newHome(), await newService()]
  await addProfile(home, 'staging', 'test', service.url)
  const given = [
    ['-F', 'cardNumber=1'],
    ['-f', 'cardNumber=1'],
    ['--data', '{"cardNumber":"1"}'],
  ]
  for (const flags of given) {
    const refused = await home.run([
      'api',
      'POST',
      '/v4/card/cardnumber',
      ...flags,
      '-p',
      'staging',
      '-o',
      'json',
    ])
    expect([refused.code, errorCode(refused)]).toEqual([2, 'SENSITIVE_IN_ARGV'])
  }
  expect(service.connections).toBe(0)
  const sent = await home.run(
    ['api', 'POST', '/v4/card/cardnumber', '--data', '-', '-p', 'staging', '-o', 'json'],
    {
      stdin: JSON.stringify({cardNumber: PAN}),
    },
  )
  expect(sent.code).toBe(0)
})

describe('cards get --pan-stdin', () => {
  const argv = ['cards', 'get', '--pan-stdin', '-o', 'json']

  test('reads one line of stdin, and nothing that is printed has the number', async () => {
    const home = await newHome()
    const seen = await home.run([...argv, '--debug'], {stdin: `${PAN}\n`})
    expect(seen.code).toBe(0)
    expect(JSON.parse(seen.stdout)).toMatchObject({id: '3001', maskedCardNumber: '41111111____1111'})
    expect(seen.stdout + seen.stderr).not.toContain(PAN)
  })

  test('--dry-run masks it, and --curl puts a shell variable in its place', async () => {
    const home = await newHome()
    const dry = await home.run([...argv, '--dry-run'], {stdin: `${PAN}\n`})
    const curl = await home.run([...argv, '--curl'], {stdin: `${PAN}\n`})
    for (const {code, stdout} of [dry, curl]) {
      expect(code).toBe(0)
      expect(stdout).not.toContain(PAN)
    }
    expect(curl.stdout).toMatch(/\$[A-Z_]+/)
  })
})

describe('what comes out', () => {
  const ANSWER = {
    id: '3001',
    note: `paid with 4111 1111 1111 1111 and 4111-1111-1111-1111`,
    cvv2: '123',
    unknownNumber: PAN,
    referenceNumber: '900000000003001',
  }
  for (const format of ['json', 'ndjson', 'csv', 'yaml', 'table']) {
    test(`is masked as ${format}: the first six and the last four digits stay`, async () => {
      const home = await newHome()
      const service = await newService(() => reply(200, ANSWER))
      await addProfile(home, 'staging', 'test', service.url)
      const seen = await home.run(['api', 'GET', '/v4/3001', '-p', 'staging', '-o', format, '--debug'])
      expect(seen.code).toBe(0)
      for (const digits of [PAN, '4111 1111 1111 1111', '4111-1111-1111-1111', '"123"']) {
        expect(seen.stdout + seen.stderr).not.toContain(digits)
      }
      if (format !== 'table') {
        expect(seen.stdout).toContain('411111••••••1111')
        expect(seen.stdout).toContain('900000000003001')
      }
    })
  }
})

describe('--reveal', () => {
  const argv = ['cards', 'payment-info', '3001', '--show', 'fullCardNumber', '-o', 'json', '--quiet']

  test('without it the number is masked, and the trail has the disclosure', async () => {
    const home = await newHome()
    expect(await home.json(argv.slice(0, -3))).toMatchObject({fullCardNumber: '411111••••••1111'})
    const kinds = (await home.json<Line[]>(['audit', 'list'])).map(({kind}) => kind)
    expect(kinds).toEqual(['disclose'])
  })

  test('on a pipe only with --yes', async () => {
    const home = await newHome()
    const refused = await home.run([...argv, '--reveal'])
    expect([refused.code, errorCode(refused)]).toEqual([2, 'CONFIRMATION_REQUIRED'])
    expect(await home.json<Line[]>(['audit', 'list'])).toEqual([])
    const shown = await home.run([...argv, '--reveal', '--yes'])
    expect(JSON.parse(shown.stdout)).toMatchObject({fullCardNumber: PAN})
  })

  test('leaves a line more of the kind reveal, and never the value', async () => {
    const home = await newHome()
    await home.run(['pin', 'view', '3001', '--reveal', '--yes', '-o', 'json'])
    await home.run([...argv, '--reveal', '--yes'])
    const kinds = (await home.json<Line[]>(['audit', 'list'])).map(({kind}) => kind)
    expect(kinds.filter(kind => kind === 'reveal')).toHaveLength(2)
    const data = join(home.folder, '.local', 'share', 'cardctl')
    for (const name of (await readdir(data)).filter(file => file.startsWith('audit'))) {
      const text = await readFile(join(data, name), 'latin1')
      expect(text).not.toContain(PAN)
    }
  })

  test('a terminal without a second screen is refused before anything is disclosed', async () => {
    const home = await newHome()
    const refused = await home.run(['pin', 'view', '3001', '--reveal', '--yes'], {
      columns: 80,
      env: {TERM: 'dumb'},
    })
    expect(refused.code).not.toBe(0)
    expect(refused.stdout).not.toContain('1234')
    expect(await home.json<Line[]>(['audit', 'list', '--kind', 'reveal'])).toEqual([])
  })
})
