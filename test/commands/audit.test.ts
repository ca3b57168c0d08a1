import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

interface Line {
  readonly kind: string
  readonly operation: string
  readonly resource: string
}

/** Oldest first. */
async function trail(...filter: string[]): Promise<string[]> {
  const lines = await home.json<Line[]>(['audit', 'list', ...filter])
  return lines.reverse().map(({kind, operation}) => `${kind} ${operation}`)
}

describe('the audit trail tells what a request did', () => {
  it('a disclosure is one, whether its answer is shown or not', async () => {
    await home.json(['cards', 'payment-info', '3001'])
    await home.json(['pin', 'view', '3001'])
    expect(await trail()).toEqual([
      'disclose cards.paymentInfo.v3',
      'disclose pincontrol.create.v2',
      'disclose pin.view.v3',
    ])
  })

  it('a reveal is a line more', async () => {
    await home.json(['cards', 'payment-info', '3001', '--reveal', '--yes'])
    await home.json(['pin', 'view', '3001', '--reveal', '--yes'])
    expect(await trail('--resource', '3001')).toEqual([
      'disclose cards.paymentInfo.v3',
      'reveal cards.paymentInfo.v3',
      'reveal pin.view.v3',
    ])
    expect(await trail('--kind', 'reveal')).toEqual(['reveal cards.paymentInfo.v3', 'reveal pin.view.v3'])
  })

  it('writes, destruction and bulk runs each by their mark, reads not at all', async () => {
    await home.json(['cards', 'get', '3001'])
    await home.json(['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000'])
    await home.json(['pricelists', 'period', 'delete', '6003', '--yes'])
    const stdin = 'id\n6004\n'
    const destroy = ['bulk', 'run', 'pricelists.deletePeriod.v1', '--from', '-', '--yes']
    expect(await home.run(destroy, {stdin})).toMatchObject({code: 0})
    expect(await trail()).toEqual([
      'write accounts.patchCredit.v4',
      'destroy pricelists.deletePeriod.v1',
      'destroy pricelists.deletePeriod.v1',
    ])
    expect(await trail('--kind', 'write')).toEqual(['write accounts.patchCredit.v4'])
  })
})

describe('audit export', () => {
  it('hands out every line, oldest first, as CSV for whoever asks', async () => {
    await home.json(['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000'])
    await home.json(['pin', 'view', '3001', '--reveal', '--yes'])
    const {stdout, code} = await home.run(['audit', 'export', '-o', 'csv'])
    const [header, ...lines] = stdout.trimEnd().split('\n')
    expect(code).toBe(0)
    expect(header).toMatch(/^seq,at,kind,osUser,auditUser,profile,operation,resource,key,/)
    expect(lines.map(line => line.split(',')[2])).toEqual(['write', 'disclose', 'disclose', 'reveal'])
    expect((await home.run(['audit', 'export', '-o', 'ndjson'])).stdout.trimEnd().split('\n')).toHaveLength(4)
  })

  it('hands a broken trail out too, and says where it breaks', async () => {
    await home.json(['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000'])
    const file = join(home.folder, '.local/share/cardctl/audit.ndjson')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"resource":"2001"', '"resource":"2002"'))
    const {stdout, stderr, code} = await home.run(['audit', 'export', '-o', 'ndjson'])
    expect(JSON.parse(stdout)).toMatchObject({kind: 'write', resource: '2002'})
    expect({code, stderr}).toMatchObject({code: 3, stderr: expect.stringContaining('broken at line 1')})
  })
})
