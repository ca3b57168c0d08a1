import {type BehaviourCheck, behaviourChecks, longChecks} from '../../../webhook/certify/index.ts'
import {specsOf} from '../../../webhook/suite/index.ts'
import {openShippedSuites} from './suites.ts'

/** What checks each rule of the contract, by its id: checks of a certificate, and suites with such steps. */
export async function checksOfRules(): Promise<ReadonlyMap<string, readonly string[]>> {
  const suites = await openShippedSuites()
  const found = [
    ...[
      ...behaviourChecks,
      ...(longChecks as readonly Pick<BehaviourCheck, 'name' | 'rule' | 'needs'>[]),
    ].map(({rule, name, needs = []}) => ({
      rule,
      check: needs.length === 0 ? name : `${name} (needs ${needs.map(need => NEEDS[need]).join(' and ')})`,
    })),
    ...suites.flatMap(({name, steps}) =>
      [...new Set(steps.flatMap(({spec}) => specsOf(spec.expect).flatMap(({rule}) => rule ?? [])))].map(
        rule => ({rule, check: `steps of \`${name}\``}),
      ),
    ),
  ]
  return new Map(
    [...Map.groupBy(found, ({rule}) => rule)].map(([rule, own]) => [rule, own.map(({check}) => check)]),
  )
}

const NEEDS = {probe: '`--probe`', restart: '`--restart`', signature: 'a signature'} as const
