// What docs/support.md promises of find.
import {readdir, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Home} from '../helpers/cli.ts'
import {reply} from '../helpers/service.ts'
import {addProfile, errorCode, newHome, newService} from './scene.ts'

const PAN = '4111111111111111'

interface Answer {
  readonly found: {kind: string; id: string; command: string; value?: unknown}[]
  readonly lookedIn: {what: string; result: string; why?: string}[]
}

const find = (home: Home, ...argv: string[]) => home.json<Answer>(['find', ...argv])

/** Every byte that cardctl keeps in this home. */
async function kept(home: Home): Promise<string> {
  const files = await readdir(home.folder, {recursive: true, withFileTypes: true})
  const texts = files
    .filter(file => file.isFile() && !file.parentPath.endsWith('sandbox'))
    .map(file => readFile(join(file.parentPath, file.name), 'latin1'))
  return (await Promise.all(texts)).join('\n')
}

describe('find', () => {
  test('only reads, whatever it is given', async () => {
    const [home, service] = [await newHome(), await newService()]
    await addProfile(home, 'staging', 'test', service.url)
    for (const text of ['3001', '1003', 'r_1', 'some-key', '0']) {
      await home.run(['find', text, '-p', 'staging', '--bid', 'SANDBOX'])
    }
    expect(service.requests.length).toBeGreaterThan(5)
    // The service has reads of enrolled customers by POST.
    const reads = /^GET |^POST \/v1\/remotecheckout\/\w+\/customer\/\w+\?/
    for (const {method, url} of service.requests) expect(`${method} ${url}`).toMatch(reads)
    expect(await home.json(['requests', 'list', '-p', 'staging'])).toEqual([])
  })

  test('asks the service nothing for words and for ids of the journal', async () => {
    const id = '01M820J48DVJXS7VSANFNEBYP4'
    const [home, service] = [await newHome(), await newService()]
    await addProfile(home, 'staging', 'test', service.url)
    for (const text of [`r_${id}`, `j_${id}`, 'Aino Virtanen', 'Virtanen', "O'Neil"]) {
      expect((await home.run(['find', text, '-p', 'staging'])).code).toBe(5)
    }
    expect(service.requests).toEqual([])
  })

  test('asks about an id with dashes only where such ids are', async () => {
    const [home, service] = [await newHome(), await newService()]
    await addProfile(home, 'staging', 'test', service.url)
    const seen = await home.run(['find', '52c078a3-957f-4196-a62f-ae13b9af1567', '-p', 'staging'])
    expect(seen.code).toBe(5)
    for (const {url} of service.requests) expect(url).toMatch(/remotecheckout|a2a/)
  })

  test.each(['3001', '2001', '1001', '900000000003001'])(
    '%s is found, and the command it names works',
    async id => {
      const home = await newHome()
      const {found} = await find(home, id)
      expect(found).toHaveLength(1)
      const [first, ...argv] = found[0]?.command.split(' ') ?? []
      expect(first).toBe('cardctl')
      expect((await home.run(argv)).code).toBe(0)
    },
  )

  test('always gives found and lookedIn as JSON, also for several things of one id', async () => {
    const home = await newHome()
    await home.run(['pricelists', 'patch', '5001', '--code', 'X'])
    for (const id of ['3001', '5001']) {
      const answer = await find(home, id)
      expect(Object.keys(answer).sort()).toEqual(['found', 'lookedIn'])
      for (const {result} of answer.lookedIn)
        expect(result).toMatch(/^(found|none|skipped|failed|not looked)/)
    }
  })

  test('ends with 5 if nothing was found, and says where it looked', async () => {
    const home = await newHome()
    const nothing = await home.run(['find', '999999', '-o', 'json'])
    expect([nothing.code, errorCode(nothing), nothing.stdout]).toEqual([5, 'NOT_FOUND', ''])
    expect(nothing.stderr).toContain('lookedIn')
  })

  test.each([
    [403, 4],
    [500, 8],
  ])('never calls a %d nothing', async (status, code) => {
    const home = await newHome()
    const service = await newService(({url}) =>
      url.includes('/customer') ? reply(status, {title: 'No'}) : reply(404, {title: 'Not found'}),
    )
    await addProfile(home, 'staging', 'test', service.url)
    const seen = await home.run(['find', '1003', '-p', 'staging', '-o', 'json'])
    expect([seen.code, seen.stdout]).not.toEqual([5, ''])
    expect(errorCode(seen)).not.toBe('NOT_FOUND')
    expect({code: seen.code, error: errorCode(seen)}).toMatchObject({code})
  })

  test('shows what it found beside an error, and names the error', async () => {
    const home = await newHome()
    const service = await newService(({url}) => (url.includes('a2a') ? reply(403, {title: 'No'}) : undefined))
    await addProfile(home, 'staging', 'test', service.url)
    const seen = await home.run(['find', '3001', '-p', 'staging', '-o', 'json'])
    const {found, lookedIn} = JSON.parse(seen.stdout) as Answer
    expect(found.map(({kind}) => kind)).toEqual(['card'])
    expect(lookedIn.find(({what}) => what === 'a batch')?.why).toContain('403')
  })

  test('needs a terminal or not: next commands are on stderr, never on stdout', async () => {
    const home = await newHome()
    const seen = await home.run(['find', '3001'])
    expect(seen.stdout).not.toContain('cardctl')
    expect(seen.stderr).toContain('cardctl history card 3001')
  })
})

describe('a card number', () => {
  test.each([PAN, '4111 1111 1111 1111', '4111-1111-1111-1111', '٤١١١١١١١١١١١١١١١'])(
    'as an argument is refused unrepeated: %s',
    async text => {
      const [home, service] = [await newHome(), await newService()]
      await addProfile(home, 'staging', 'test', service.url)
      for (const argv of [
        ['find', text],
        ['history', 'card', text],
        ['help', text],
        ['help', '--search', text],
      ]) {
        const seen = await home.run([...argv, '-p', 'staging', '-o', 'json'])
        expect([seen.code, errorCode(seen)]).toEqual([2, 'SENSITIVE_IN_ARGV'])
        expect(seen.stdout + seen.stderr).not.toContain(text)
      }
      expect(service.requests).toEqual([])
    },
  )

  test('from stdin leads to its card, and is in no output and in no file', async () => {
    const home = await newHome()
    for (const format of ['table', 'json', 'csv', 'yaml', 'ndjson']) {
      const seen = await home.run(['find', '--card-number', '-o', format, '--debug'], {stdin: `${PAN}\n`})
      expect(seen.code).toBe(0)
      expect(seen.stdout).toContain('3001')
      expect(seen.stdout + seen.stderr).not.toContain(PAN)
    }
    expect(await kept(home)).not.toContain(PAN)
  })

  test('that no card has ends with 5, and is not repeated', async () => {
    const home = await newHome()
    const seen = await home.run(['find', '--card-number'], {stdin: '378282246310005\n'})
    expect(seen.code).toBe(5)
    expect(seen.stdout + seen.stderr).not.toContain('378282246310005')
  })

  test.each(['4111111111111112', '411', 'not a number', ''])('%j is refused, unsent', async text => {
    const [home, service] = [await newHome(), await newService()]
    await addProfile(home, 'staging', 'test', service.url)
    const seen = await home.run(['find', '--card-number', '-p', 'staging'], {stdin: `${text}\n`})
    expect(seen.code).toBe(2)
    if (text !== '') expect(seen.stderr).not.toContain(text)
    expect(service.requests).toEqual([])
  })
})
