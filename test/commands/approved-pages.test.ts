// What a second person approved: every page says who proposed it, who approved it, and why each of them did.
import {mkdir, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
beforeEach(async () => {
  home = await openHome()
  service = await openService()
  const proposals = join(home.folder, 'proposals')
  await mkdir(proposals, {mode: 0o700})
  for (const name of ['aino', 'bo']) {
    const at = ['--base-url', service.url, '--auth', 'none', '--profile-audit-user', name]
    const rules = ['irreversible', 'EUR:100'].flatMap(rule => ['--second-person-for', rule])
    const add = ['profiles', 'add', name, '--kind', 'sandbox', '--proposals', proposals]
    expect(await home.run([...add, ...at, ...rules])).toMatchObject({code: 0})
  }
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const CLOSE = ['accounts', 'close', '2011', '--type', 'debit']
const SEND = ['a2a', 'create', '--transfer', '2006:2007:500:EUR:Rent']
const BOTH = 'aino: Customer left; bo: Balance is zero'

async function approved(argv: readonly string[], ...more: string[]): Promise<string> {
  const propose = [...argv, '--propose', '--note', 'Customer left', '--ticket', 'T-1', '-p', 'aino']
  const {id} = await home.json<{id: string}>(propose)
  const {code, stderr} = await home.run(['requests', 'approve', id, '--yes', '-p', 'bo', ...more])
  expect({code, stderr}).toMatchObject({code: 0})
  return id
}
const why = ['--note', 'Balance is zero']
const total = ['--confirm-count', '1', '--confirm-total', 'EUR:500']
const shown = async (...argv: string[]) =>
  (await home.run([...argv, '-p', 'bo'], {columns: 300})).stdout.replaceAll(/\s+/g, ' ')

it('a batch, its request and its shift have both people and both reasons', async () => {
  const id = await approved(SEND, ...why, ...total)
  const [batch] = await home.json<{id: string}[]>(['a2a', 'list', '-p', 'bo'])
  const page = join(home.folder, 'batch.html')
  const text = await shown('report', 'batch', batch?.id ?? '', '--html', page)
  expect(text).toContain('Sent by bo Proposed by aino')
  expect(text).toContain(BOTH)
  expect(await readFile(page, 'utf8')).toContain(`<dt>Proposed by</dt><dd>aino</dd>`)
  expect(await home.json(['report', 'batch', batch?.id ?? '', '-p', 'bo'])).toMatchObject({
    sent: {proposal: id, proposedBy: 'aino', proposedNote: 'Customer left', note: 'Balance is zero'},
  })
  for (const argv of [
    ['requests', 'show', 'last'],
    ['report', 'shift'],
    ['history', 'batch', 'last'],
  ])
    expect(await shown(...argv), argv.join(' ')).toContain(BOTH)
  expect(await shown('requests', 'show', 'last')).toContain('Proposed by aino')
  expect(await home.json(['requests', 'show', 'last', '-p', 'bo'])).toMatchObject({proposedBy: 'aino'})
})

it('without a reason of its own, an approval has that of the proposal', async () => {
  await approved(CLOSE, '--confirm', 'ACCOUNT_TO_CLOSE')
  expect(await shown('history', 'account', '2011')).toContain('Note aino: Customer left Request')
})

it('a decided proposal says when, by which request, and compares with nothing that it did itself', async () => {
  const id = await approved(CLOSE, '--confirm', 'ACCOUNT_TO_CLOSE')
  const [request] = await home.json<{id: string}[]>(['requests', 'list', '-p', 'bo'])
  const text = await shown('requests', 'show', id)
  expect(text).toMatch(/Decided (today|yesterday) \d\d:\d\d/)
  expect(text).toContain(`Sent by request ${request?.id}`)
  expect(text).toContain('What was approved')
  expect(text).not.toContain('last sent from here')
  const other = await home.json<{id: string}>([...CLOSE, '--propose', '-p', 'aino'])
  await home.run(['requests', 'reject', other.id, '--reason', 'Closed already', '-p', 'bo'])
  expect(await shown('requests', 'show', other.id)).toMatch(/Decided (today|yesterday) \d\d:\d\d/)
})
