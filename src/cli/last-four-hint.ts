import {advice, joinAdvice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import type {Call} from './client/options.ts'

/** `cards get 4444`: what is no id of a card may be the last digits of its number, which no operation looks up. */
export function withLastFour(error: unknown, {operation, input}: Call): unknown {
  if (!(error instanceof Failure) || error.code !== 'NOT_FOUND' || operation.topic !== 'cards') return error
  const id = input.path.id ?? input.path.cardId
  if (id === undefined || !/^\d{4}$/.test(id)) return error
  return error.with({hint: joinAdvice([error.advice, lastFourAdvice(id)], ' ')})
}

export const lastFourAdvice = (digits: string) =>
  advice`If ${digits} are the last digits of a card number, say whose card it is, with --customer or --account: ${cardctl('cards', 'list', '--customer', {value: 'ID'}, '--last4', {value: digits})}.`
