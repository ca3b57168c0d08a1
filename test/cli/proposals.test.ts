import {chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {afterEach, expect, it} from 'vitest'
import {type Decision, PROPOSAL_MS, type Proposal, Proposals} from '../../src/cli/proposals.ts'
import {openHome} from '../helpers/cli.ts'

const made = mkdtempSync(join(tmpdir(), 'cardctl-proposals-'))
afterEach(() => rmSync(made, {recursive: true, force: true}))

const by = {osUser: 'aino', uid: process.getuid?.() ?? 0, auditUser: 'aino'}
const NOON = Date.parse('2026-11-22T12:00:00Z')
const proposal: Proposal = {
  version: 1,
  id: 'p_0123456789abcdef',
  at: new Date(NOON).toISOString(),
  expiresAt: new Date(NOON + PROPOSAL_MS).toISOString(),
  by,
  service: 'one',
  serviceWords: 'one',
  requests: [{operation: 'pricelists.delete.v1', input: {path: {id: '5001'}, query: {}}, key: 'k'}],
}
const approvedAt = (at: number): Decision => ({
  decision: 'approved',
  at: new Date(at).toISOString(),
  by,
  digest: '',
})

it('is not approved by an answer that comes after its end, or a second time', () => {
  chmodSync(made, 0o700)
  const folder = new Proposals({name: 'staging', proposals: made})
  folder.add(proposal)
  const found = folder.get(proposal.id)
  expect(() => folder.decide(found, approvedAt(NOON + PROPOSAL_MS))).toThrow('expired at 2026-11-23T12:00')
  expect(readdirSync(made)).toEqual([`${proposal.id}.json`])
  folder.decide(found, approvedAt(NOON + PROPOSAL_MS - 1))
  expect(() => folder.decide(found, approvedAt(NOON + 1))).toThrow('was approved by aino')
})

it.each([-10, -1, 1, 10])('is not approved with the clock wrong by %s years', years => {
  mkdirSync(made, {recursive: true, mode: 0o700})
  const folder = new Proposals({name: 'staging', proposals: made})
  folder.add({...proposal, id: 'p_0123456789abcde0'})
  const found = folder.get('p_0123456789abcde0')
  const wrong = approvedAt(NOON + 3_600_000 + years * 365 * 86_400_000)
  expect(() => folder.decide(found, wrong)).toThrow(years < 0 ? 'still to come' : 'expired')
})

it('is no flag of its own approval', async () => {
  const home = await openHome()
  const {code, stderr} = await home.run(['requests', 'approve', proposal.id, '--propose'])
  await home.remove()
  expect([code, stderr]).toEqual([2, expect.stringContaining('--propose')])
})
