import {operations} from '../contract/operations.gen.ts'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import type {Target} from '../profiles/target.ts'

/** The dialect that an operation goes out by: its name and digest. */
export const dialectOf = (operation: string, {dialect}: Pick<Target, 'dialect'>): string | undefined =>
  operation in operations ? dialect?.label : undefined

interface Recorded {
  readonly id: string
  readonly operation: string
  /** Name and digest of the dialect that it was sent by. */
  readonly dialect?: string | undefined
}

/**
 * With another dialect than before, or without one, the same content is another request, perhaps one that the service
 * has never heard of.
 *
 * @param kind of what is sent again: `Request`
 * @throws Failure DESCRIPTION_CHANGED
 */
export function refuseOtherDialect(
  kind: string,
  {id, operation, dialect: was}: Recorded,
  target: Pick<Target, 'name' | 'dialect'>,
): void {
  const {name} = target
  const now = dialectOf(operation, target)
  if (now === was) return
  const words = (label: string | undefined): string =>
    label === undefined ? 'no dialect' : `the dialect ${label}`
  throw new Failure('DESCRIPTION_CHANGED', {
    message: `${kind} ${id} was made with ${words(was)}, and the profile ${name} has ${words(now)} now. Nothing was sent.`,
    hint:
      was === undefined
        ? advice`Use a profile of the same service without a dialect, or run ${cardctl('profiles', 'edit', {value: name}, '--unset', 'dialect')}`
        : advice`Give the profile the file as it was: ${cardctl('profiles', 'edit', {value: name}, '--dialect', {value: 'FILE'})}`,
    effect: 'none',
  })
}
