import {findScenario, type Scenario, scenarios} from '../../../contract/scenarios.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {nearestName} from '../../../errors/nearest-name.ts'
import {cardctl} from '../../../errors/suggested-command.ts'

export const DEFAULT_SCENARIO = 'contactless'

/** The scenario with this name. @throws Failure USAGE for an unknown name, with the one that was probably meant */
export function chooseScenario(name: string): Scenario {
  const found = findScenario(name)
  if (found) return found
  const meant = nearestName(name, Object.keys(scenarios))
  throw new Failure('USAGE', {
    message: `Unknown scenario.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    hint: advice`See ${cardctl('webhook', 'scenarios')}`,
  })
}
