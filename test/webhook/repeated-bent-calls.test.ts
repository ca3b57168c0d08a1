// When a call that differs from the contract is a repeat of an earlier one.
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {type AuthEvent, type Decider, declineAll, type Exchange} from '../../src/webhook/index.ts'
import {runs} from '../helpers/whole.ts'
import {bent, euros, purchase, set, without} from './bent-calls.ts'
import {listener} from './listener.ts'
import {recordingRoom} from './recordings.ts'

const recordings = (exchanges: readonly Exchange[]) => exchanges.map(({event}) => event as AuthEvent)

test('two equal calls without an id are two, here and by the recording', async () => {
  const room = recordingRoom()
  const coffee = bent(without('metadata'))
  let asked = 0
  const decider: Decider = {decide: request => declineAll(['51', '57', '62'][asked++] ?? '').decide(request)}
  const first = await listener({decider, recorder: room.recorder()})
  await first.post('/auth', coffee)
  await first.post('/auth', coffee)
  await first.close()
  const second = await listener({decider, recorder: room.recorder()})
  await second.post('/auth', coffee)
  await second.close()
  const told = recordings(room.recorded()).toReversed()
  expect(told.map(({code, repeated}) => [code, repeated])).toEqual([
    ['51', false],
    ['57', false],
    ['62', false],
  ])
  expect(new Set(told.map(({id}) => id)).size, 'one name for one body').toBe(1)
  expect(told[0]?.id).toMatch(/^body-[0-9a-f]{16}$/)
})

/** Bodies and ids, few enough to come again. */
const madeCall = fc.record({
  id: fc.constantFrom<unknown>(
    'a',
    'b',
    7,
    '7',
    '',
    ' ',
    null,
    undefined,
    {},
    2 ** 60,
    'body-0123456789abcdef',
  ),
  amount: fc.constantFrom<unknown>(1, '1', 2, null),
})

test('a call is a repeat exactly when its id can be read and its body came under it before', () =>
  fc.assert(
    fc.asyncProperty(fc.array(madeCall, {maxLength: 12}), async made => {
      const {post, events, close} = await listener({decider: declineAll('51')})
      const before: {id: string; text: string}[] = []
      for (const {id, amount} of made) {
        const call = purchase()
        set('metadata', id === undefined ? undefined : {id})(call)
        euros(amount)(call)
        const text = JSON.stringify(call)
        await post('/auth', text)
        const readable = id === 7 || (typeof id === 'string' && id.trim() !== '')
        const known = before.filter(one => readable && one.id === String(id))
        const isRepeat = known.some(one => one.text === text)
        expect(events.at(-1)).toMatchObject({type: 'auth', repeated: isRepeat})
        expect('reusedId' in (events.at(-1) ?? {}), text).toBe(!isRepeat && known.length > 0)
        if (readable) before.push({id: String(id), text})
      }
      await close()
    }),
    {numRuns: runs(40)},
  ))
