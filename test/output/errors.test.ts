// The last mask before a failure is shown, for whoever threw it without one.
import {expect, it} from 'vitest'
import {Failure} from '../../src/errors/failure.ts'
import {setUp} from './streams.ts'

const PAN = '4111111111111111'
const shown = '411111••••••1111'

const failure = new Failure('REFUSED', {
  message: `message ${PAN}`,
  hint: `hint ${PAN}`,
  problem: {title: `title ${PAN}`, detail: `detail ${PAN}`, cvv2: '739', id: PAN},
  data: {
    problems: [1, 2].map(row => ({row, message: `row ${row} has ${PAN}`})),
    count: 2,
    lines: [`first line ${PAN}`, `second line ${PAN}`],
  },
})

it('a failure for a person', async () => {
  const {printer, stderr} = setUp()
  await printer.error(failure)
  for (const word of ['message', 'hint', 'title', 'detail', 'row 1 has', 'first line', 'second line']) {
    expect(stderr.text).toContain(`${word} ${shown}`)
  }
  expect(stderr.text).not.toContain(PAN)
})

it('a failure as JSON; the id of a problem is masked like the rest', async () => {
  const {printer, stderr} = setUp({format: 'json'})
  await printer.error(failure)
  const {error} = JSON.parse(stderr.text)
  expect(error).toMatchObject({
    message: `message ${shown}`,
    hint: `hint ${shown}`,
    problem: {title: `title ${shown}`, detail: `detail ${shown}`, cvv2: '[masked]', id: shown},
  })
  expect(JSON.stringify(error)).not.toContain(PAN)
})
