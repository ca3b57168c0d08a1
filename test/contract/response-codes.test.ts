import {expect, test} from 'vitest'
import {responseCodeNames, responseCodes} from '../../src/contract/response-codes.ts'
import {webhookShapes} from '../../src/contract/webhook-shapes.gen.ts'

test('each code and name of the contract has words, and no other', () => {
  const shape: unknown = webhookShapes['webhook.auth'].reply
  expect(shape).toMatchObject({
    members: {
      transactionData: {
        members: {
          authResponseCode: {
            members: {
              code: {values: [...Object.keys(responseCodes).sort(), ...Object.keys(responseCodeNames)]},
            },
          },
        },
      },
    },
  })
  for (const code of Object.values(responseCodeNames)) expect(responseCodes).toHaveProperty(code)
})
