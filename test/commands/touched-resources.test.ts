import {afterAll, describe, expect, test} from 'vitest'
import {operations} from '../../src/contract/operations.gen.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {operationCalls} from './operation-calls.ts'

interface Line {
  readonly kind: string
  readonly operation: string
  readonly request: string
  readonly resources?: readonly string[]
}

const leavesEntry = Object.values(operations)
  .filter(({effect, group}) => effect !== 'read' && group !== 'sandbox')
  .map(({id}) => id)

/** Operations outside the outline. */
const extensions: Readonly<Record<string, readonly string[]>> = {
  'pincontrol.create.v2': ['pincontrol', 'create', '7001', '--scope', 'view'],
}

const homes: Home[] = []
const newHome = async (): Promise<Home> => {
  const home = await openHome()
  homes.push(home)
  return home
}
afterAll(async () => {
  for (const home of homes) await home.remove()
})

const audit = (home: Home, ...filter: string[]) => home.json<Line[]>(['audit', 'list', ...filter])
const requests = (home: Home, ...filter: string[]) =>
  home.json<{id: string}[]>(['requests', 'list', ...filter])
const ids = (list: readonly {readonly id: string}[]) => list.map(({id}) => id)

describe('what was touched', () => {
  test.each(leavesEntry)('%s can be found by everything that it touched', async id => {
    const home = await newHome()
    const {argv, stdin = ''} = (await operationCalls[id]?.(home)) ?? {argv: extensions[id] ?? []}
    const {code, stderr} = await home.run(argv, {stdin})
    expect({code, stderr}).toMatchObject({code: 0})
    const [line] = await audit(home, '--operation', id)
    expect(line?.resources?.length).toBeGreaterThan(0)
    for (const resource of line?.resources ?? []) {
      const [kind, number = ''] = resource.split(':')
      // A control id is a secret, even as a digest it is none of a reader's business.
      expect(kind).not.toBe('control')
      for (const wanted of [resource, number]) {
        expect(await audit(home, '--resource', wanted)).toContainEqual(line)
        expect(ids(await requests(home, '--resource', wanted))).toContain(line?.request)
      }
    }
  })

  test('by pin set and pin view is the card and its plastic, also of the reveal', async () => {
    const home = await newHome()
    await home.run(['pin', 'set', '3004'], {stdin: '8253\n'})
    await home.run(['pin', 'view', '3004', '--reveal', '--yes'])
    const lines = await audit(home, '--resource', 'card:3004', '--operation', 'pin')
    expect(lines.map(({operation, kind}) => `${operation} ${kind}`)).toEqual([
      'pin.view.v3 reveal',
      'pin.view.v3 disclose',
      'pin.set.v3 write',
      'pin.tzpk.v3 disclose',
    ])
    for (const {resources} of lines) {
      expect(resources).toEqual(['card:3004', expect.stringMatching(/^plastic:\d+$/)])
    }
    expect(await audit(home, '--resource', '3005')).toEqual([])
  })

  test('by a control id is the plastic that it was made for, and the id itself is nowhere', async () => {
    const home = await newHome()
    const {id} = await home.json<{id: string}>(['pincontrol', 'create', '7001', '--scope', 'set'])
    // The block is nonsense: that the service refuses it is on record too.
    const stdin = `${Buffer.alloc(8).toString('base64')}\n`
    await home.run(['pin', 'set', '--control-id', 'env:CONTROL', '--pin-block-stdin'], {
      stdin,
      env: {CONTROL: id},
    })
    const lines = await audit(home, '--resource', 'plastic:7001')
    expect(lines.map(({operation}) => operation)).toEqual(['pin.set.v3', 'pincontrol.create.v2'])
    expect(JSON.stringify(await requests(home))).not.toContain(id)
    expect(JSON.stringify(await requests(home))).not.toContain('control:')
  })

  test('by transfers are all accounts and the batch', async () => {
    const home = await newHome()
    const transfers = ['2006:2007:12.50:EUR', '2006:2001:1:EUR'].flatMap(one => ['--transfer', one])
    const [{id}] = await home.json<[{id: string}]>(['a2a', 'create', ...transfers, '--yes'])
    const [line] = await audit(home, '--operation', 'a2a')
    expect(line?.resources).toEqual(['account:2006', 'account:2007', 'account:2001', `batch:${id}`])
    expect(ids(await requests(home, '--resource', `batch:${id}`))).toEqual([line?.request])
  })

  test('by a bulk run is the account of each row', async () => {
    const home = await newHome()
    const stdin = 'id,creditLimit\n2001,500\n2008,600\n'
    const argv = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--yes']
    await home.run(argv, {stdin})
    expect(await requests(home, '--resource', 'account:2001')).toHaveLength(1)
    expect(await audit(home, '--resource', '2001')).toHaveLength(1)
  })

  test('by a path that the contract does not know is what looks like an id in it', async () => {
    const home = await newHome()
    await home.run(['api', 'POST', '/v1/loyalty/88123/points', '--group', 'accounts', '-F', 'points=3'])
    expect(await requests(home, '--resource', '88123')).toHaveLength(1)
    expect(await requests(home, '--resource', '1')).toEqual([])
  })

  test('as card 3004 is not what somebody did to account 3004', async () => {
    const home = await newHome()
    await home.run(['accounts', 'patch', '3004', '--type', 'credit', '--credit-limit', '5'])
    expect(await audit(home, '--resource', '3004')).toHaveLength(1)
    expect(await audit(home, '--resource', 'account 3004')).toHaveLength(1)
    expect(await audit(home, '--resource', 'card:3004')).toEqual([])
  })
})
