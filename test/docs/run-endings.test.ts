import {expect, it} from 'vitest'
import {causes, endBy} from '../helpers/run-endings.ts'
import {expectEnding, toldEndings} from '../helpers/told-endings.ts'
import {part} from '../helpers/whole.ts'

it('the table has every cause', () => {
  expect(toldEndings.map(({cause}) => cause)).toEqual(Object.keys(causes))
})

const ofOne = toldEndings.filter(({cause}) => causes[cause]?.isOfTeam !== true)

it.each(part(ofOne, 5))('$cause', {timeout: 120_000}, async told => {
  await expectEnding(told, rows => endBy(causes[told.cause] ?? {}, rows))
})
