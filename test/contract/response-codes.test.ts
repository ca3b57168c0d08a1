import {expect, test} from 'vitest'
import {responseCodeNames, responseCodes} from '../../src/contract/response-codes.ts'
import type {Shape} from '../../src/contract/shape.ts'
import {webhookShapes} from '../../src/contract/webhook-shapes.gen.ts'

const inside = (shape: Shape | undefined, name: string): Shape | undefined =>
  typeof shape === 'object' && 'members' in shape ? shape.members.get(name) : undefined

test('each code and name of the contract has words, and no other', () => {
  const path = ['transactionData', 'authResponseCode', 'code']
  const code = path.reduce<Shape | undefined>(inside, webhookShapes['webhook.auth'].reply)
  expect(code).toEqual({values: [...Object.keys(responseCodes).sort(), ...Object.keys(responseCodeNames)]})
  for (const named of Object.values(responseCodeNames)) expect(responseCodes).toHaveProperty(named)
})
