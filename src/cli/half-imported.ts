import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {refuseOtherFolder} from '../files/open-own-file.ts'

/** The file that is in the data folder while `data import` puts records into their places. */
export const halfImported = (data: string): string => join(data, 'importing')

/** What is half imported, or another user's, is not used. @throws Failure STORE_UNAVAILABLE, CONFIG_UNREADABLE */
export function refuseHalfImported(data: string): void {
  refuseOtherFolder(data)
  if (!existsSync(halfImported(data))) return
  throw new Failure('STORE_UNAVAILABLE', {
    message: `A data import into ${data} did not end, so its journals and audit trail are not used.`,
    hint: advice`Run the same import again, and it continues: ${cardctl('data', 'import', {value: 'FILE'})}`,
    effect: 'none',
  })
}
