import {findScenario, type Scenario, scenarios} from '../../../contract/scenarios.ts'
import {Failure} from '../../../errors/failure.ts'
import {nearestName} from '../../../errors/nearest-name.ts'

export const DEFAULT_SCENARIO = 'contactless'

/** The scenario with this name. @throws Failure USAGE for an unknown name, with the one that was probably meant */
export function chooseScenario(name: string): Scenario {
  const found = findScenario(name)
  if (found) return found
  const meant = nearestName(name, Object.keys(scenarios))
  throw new Failure('USAGE', {
    message: `Unknown scenario.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    hint: 'See webhook scenarios.',
  })
}
