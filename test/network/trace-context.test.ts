import {expect, it} from 'vitest'
import {readTraceContext, traceHeaders} from '../../src/network/trace-context.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'

it.each([
  ['a valid one', `00-${TRACE}-${SPAN}-01`, '01'],
  ['one that is not recorded', `00-${TRACE}-${SPAN}-00`, '00'],
  ['flags of later versions', `00-${TRACE}-${SPAN}-ff`, '03'],
  ['a later version with more members', `01-${TRACE}-${SPAN}-01-more`, '01'],
])('reads %s', (_, text, flags) => {
  expect(readTraceContext(text)).toEqual({traceId: TRACE, flags})
})

it.each([
  ['nothing', undefined],
  ['another version of the form', `ff-${TRACE}-${SPAN}-01`],
  ['more than version 00 has', `00-${TRACE}-${SPAN}-01-more`],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['capital letters', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
])('reads no trace from %s', (_, text) => {
  expect(readTraceContext(text)).toBeUndefined()
})

it('writes the header of version 00, and passes the state on unless it is too long', () => {
  const parent = `00-${TRACE}-${SPAN}-01`
  const read = (state: string) => readTraceContext(parent, state)
  const trace = read('a=1')
  expect(trace && traceHeaders(trace, '1234567890abcdef')).toEqual({
    traceparent: `00-${TRACE}-1234567890abcdef-01`,
    tracestate: 'a=1',
  })
  expect(read('x'.repeat(513))).not.toHaveProperty('state')
  expect(read('a=\n')).not.toHaveProperty('state')
})
