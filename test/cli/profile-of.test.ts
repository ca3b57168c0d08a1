import {expect, it} from 'vitest'
import {profileOf} from '../../src/cli/profile-of.ts'

it.each<[string, string | undefined]>([
  ['x refunds list -p prod', 'prod'],
  ['x refunds list -pprod', 'prod'],
  ['x refunds list -p=prod', 'prod'],
  ['x refunds list -qpprod', 'prod'],
  ['x refunds list -qyp prod', 'prod'],
  ['x refunds list --profile=prod', 'prod'],
  ['x refunds list --profile prod', 'prod'],
  ['x refunds list -q -ojson', undefined],
  ['x refunds list -opp', undefined],
  ['x refunds list --pan', undefined],
  ['x refunds list -- -p prod', undefined],
])('%s names the profile %s', (line, profile) => {
  expect(profileOf(line.split(' '))).toBe(profile)
})
