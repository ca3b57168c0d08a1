import {expect, it} from 'vitest'
import {marksIn} from '../../src/output/batch-marks.ts'

const REFERENCE = 'ref:abcdefghijklmnopabcd'
const ROWS = 'rows:abcdefghijklmnop'
const WHOLE = `Rent ${REFERENCE}/2of3 ${ROWS}`

it('are found at the end of a description', () => {
  const found = {reference: `${REFERENCE}/2of3`, rows: ROWS, retries: undefined, fixes: [], plain: 'Rent'}
  expect(marksIn(WHOLE)).toEqual(found)
  expect(marksIn(`Rent retry:88001 ${REFERENCE} ${ROWS}`)).toMatchObject({retries: '88001', plain: 'Rent'})
  expect(marksIn(`Rent fixes:88001#abcde,fghij fixes:88002 ${REFERENCE} ${ROWS}`)).toMatchObject({
    fixes: [
      {batch: '88001', items: ['abcde', 'fghij']},
      {batch: '88002', items: undefined},
    ],
    plain: 'Rent',
  })
})

it('are found where the service writes in upper case', () => {
  expect(marksIn(WHOLE.toUpperCase())).toEqual({
    reference: `${REFERENCE}/2OF3`.toLowerCase(),
    rows: ROWS,
    retries: undefined,
    fixes: [],
    plain: 'RENT',
  })
})

it('do not count as words of a person where the service has cut them', () => {
  const cuts = Array.from({length: WHOLE.length - 'Rent ref:'.length}, (_, cut) => 'Rent ref:'.length + cut)
  for (const cut of cuts) expect(marksIn(WHOLE.slice(0, cut)).plain).toBe('Rent')
})
