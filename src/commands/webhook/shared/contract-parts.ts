import {codeOf, unknownCode} from '../../../contract/response-codes.ts'
import type {ContractCode, WebhookContract} from '../../../contract/webhook-contract.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {nearestName} from '../../../errors/nearest-name.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import type {FieldPlaces} from './contract-view.ts'

/** Fields by dotted path, or by their last name. @throws Failure NOT_FOUND with the one that was probably meant */
export function findFields({calls}: WebhookContract, wanted: string): FieldPlaces['fields'] {
  const fields = calls.flatMap(({path, headers, call, answer}) => [
    ...answer.fields.map(field => ({...field, in: `answer of ${path}`})),
    ...call.fields.map(field => ({...field, in: `call of ${path}`})),
    ...headers.map(field => ({...field, in: `header of ${path}`})),
  ])
  const plain = wanted.replace(/^\//, '').replaceAll('/', '.').replaceAll('[]', '').toLowerCase()
  const namesOf = ({name}: {readonly name: string}): [whole: string, last: string] => {
    const whole = name.replaceAll('[]', '')
    return [whole, whole.split('.').at(-1) ?? '']
  }
  const isWanted = (field: {readonly name: string}) =>
    namesOf(field).some(name => name.toLowerCase() === plain)
  const found = fields.filter(isWanted)
  if (found.length > 0) return found
  const meant = nearestName(plain, fields.flatMap(namesOf))
  throw new Failure('NOT_FOUND', {
    message: 'The contract of the webhook has no such field.',
    hint: meant === undefined ? advice`See ${cardctl('webhook', 'contract')}` : `Did you mean ${meant}?`,
    effect: 'none',
  })
}

/** One code, or all of them. @throws Failure NOT_FOUND */
export function findCode({codes}: WebhookContract, wanted: string): readonly ContractCode[] {
  if (wanted === 'all') return codes
  const code = codeOf(wanted.toUpperCase())
  const found = codes.filter(each => each.code === code)
  if (found.length > 0) return found
  const {suggestion} = unknownCode(wanted)
  throw new Failure('NOT_FOUND', {
    message: `There is no such response code.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`,
    hint: advice`See them all: ${cardctl('webhook', 'contract', '--code', 'all')}`,
    effect: 'none',
  })
}
