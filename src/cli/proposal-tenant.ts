import {randomBytes, scryptSync, timingSafeEqual} from 'node:crypto'
import {Failure} from '../errors/failure.ts'
import type {Target} from '../profiles/target.ts'

/** A mark of the secret header values that name a tenant, which two users can compare and nobody can read. */
export interface TenantMark {
  /** Both base64. */
  readonly salt: string
  readonly mark: string
}

/** The mark of a profile's tenant; undefined if no secret header names one. */
export async function tenantMark({tenant}: Pick<Target, 'tenant'>): Promise<TenantMark | undefined> {
  const secret = await tenant?.()
  if (secret === undefined) return undefined
  const salt = randomBytes(16)
  return {salt: salt.toString('base64'), mark: digestOf(secret.open(), salt).toString('base64')}
}

/** @throws Failure OTHER_SERVICE if it was made for another tenant than the profile has. */
export async function refuseOtherTenantMark(
  /** `Proposal p_…` */
  what: string,
  made: TenantMark | undefined,
  {name, tenant}: Pick<Target, 'name' | 'tenant'>,
): Promise<void> {
  const secret = await tenant?.()
  const isSame =
    made === undefined || secret === undefined
      ? made === undefined && secret === undefined
      : timingSafeEqual(
          digestOf(secret.open(), Buffer.from(made.salt, 'base64')),
          Buffer.from(made.mark, 'base64'),
        )
  if (isSame) return
  throw new Failure('OTHER_SERVICE', {
    message: `${what} was made for another tenant than the profile ${name} has: a secret header that names the tenant differs. Nothing was sent.`,
    hint: 'Use a profile of the same tenant.',
    effect: 'none',
  })
}

const MARK_BYTES = 32

const digestOf = (text: string, salt: Buffer): Buffer => scryptSync(text, salt, MARK_BYTES)

export const isTenantMark = (one: unknown): one is TenantMark =>
  typeof one === 'object' &&
  one !== null &&
  'salt' in one &&
  'mark' in one &&
  [one.salt, one.mark].every(text => typeof text === 'string') &&
  Buffer.from(String(one.mark), 'base64').length === MARK_BYTES
