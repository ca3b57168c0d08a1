import {describe, expect, it} from 'vitest'
import {operations} from '../../src/contract/operations.gen.ts'
import {dispatcherFor, type PlainRequest} from '../../src/http/index.ts'
import {openSender, operation, still, target} from './surround.ts'

/** Against the operations and validators of the contract itself. */
function answering(body: unknown, status = 200) {
  const seen: PlainRequest[] = []
  const dispatcher = dispatcherFor(async request => {
    seen.push(request)
    return {
      status,
      headers: {'content-type': 'application/json'},
      body: Buffer.from(JSON.stringify(body)),
    }
  })
  const embedded = target('http://sandbox.embedded', {kind: 'sandbox', embedded: true, hosts: []})
  return {
    seen,
    sender: openSender(embedded, still({dispatcher: async () => dispatcher, checkResponse: undefined})),
  }
}

const patch = operations['accounts.patchDebit.v4']
const input = {path: {id: '2002'}, query: {}, body: {name: 'Rent'}}

describe('responses and the contract', () => {
  it('one that fits passes, with members that came later', async () => {
    const {sender} = answering({description: 'done', id: '2002', since: 2027})
    expect((await sender.send({operation: patch, input})).body).toEqual({
      description: 'done',
      id: '2002',
      since: 2027,
    })
  })

  it('one that differs passes too, and the places are named without their values', async () => {
    const {sender} = answering({description: 'done', id: {wrong: '4111111111111111'}})
    const {body, differences} = await sender.send({operation: patch, input})
    expect(body).toEqual({description: 'done', id: {wrong: '411111••••••1111'}})
    expect(differences.map(({pointer}) => pointer)).toEqual(['/id'])
    expect(JSON.stringify(differences)).not.toContain('4111111111111111')
  })

  it('one with another status is checked against the usual response', async () => {
    const {sender} = answering({description: 'done'}, 201)
    const {differences} = await sender.send({operation: patch, input})
    expect(differences.map(({pointer, message}) => `${pointer} ${message}`)).toEqual([
      ' the status is 201, not 200',
      '/id id is missing',
    ])
  })

  it('one of an operation that the contract does not know passes', async () => {
    const {sender} = answering({anything: [1]})
    const unknown = operation({id: 'api', path: '/v9/other', pathParams: [], success: []})
    expect((await sender.send({operation: unknown, input: {path: {}, query: {}}})).body).toEqual({
      anything: [1],
    })
  })

  it('an id that every object has as a member is not known either', async () => {
    const {sender} = answering(1)
    const odd = operation({id: 'constructor', path: '/x', pathParams: []})
    expect((await sender.send({operation: odd, input: {path: {}, query: {}}})).body).toBe(1)
  })
})

describe('every operation of the contract', () => {
  it.each(Object.values(operations).map(each => [each.id, each] as const))(
    '%s goes to its path',
    async (_id, each) => {
      const {sender} = answering({})
      const path = Object.fromEntries(each.pathParams.map(name => [name, '1']))
      const body = each.body === 'required' ? {} : undefined
      const {method, url, headers} = await sender.preview({operation: each, input: {path, query: {}, body}})
      const wire = new URL(url)
      expect([method, wire.pathname]).toEqual([each.method, each.path.replace(/\{[^}]+\}/g, '1')])
      const audited = (each.query as readonly {name: string}[]).some(({name}) => name === 'auditUser')
      expect(wire.search).toBe(audited ? '?auditUser=aino' : '')
      const changing = each.effect === 'write' || each.effect === 'destroy'
      const keyed = changing && (each.method === 'POST' || each.method === 'PATCH')
      expect('x-idempotency-key' in headers).toBe(keyed)
    },
  )
})
