import * as Flags from '@oclif/core/flags'
import {proveWritable} from '../../../files/named-output.ts'

/** On commands that read the transfers of a batch. */
export const failedFileFlags = {
  'failed-to': Flags.string({
    helpValue: 'FILE',
    summary:
      'Write the failed transfers to a CSV file that a2a create --from takes, with the reason of each.',
    exclusive: ['watch'],
  }),
}

/** Before anything is read: the file must be writable. @throws Failure OUTPUT_UNWRITABLE */
export async function proveFailedFile(file: string | undefined): Promise<void> {
  if (file !== undefined) await proveWritable(file)
}
