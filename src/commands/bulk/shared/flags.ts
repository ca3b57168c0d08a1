import * as Flags from '@oclif/core/flags'
import {operationFlags} from '../../../cli/flags.ts'

/** On commands that send the rows of a job. */
export const bulkFlags = {
  concurrency: Flags.integer({
    min: 1,
    max: 256,
    default: 16,
    summary: 'Maximum number of rows to send at the same time.',
  }),
  rate: Flags.string({
    helpValue: '50/s,3000/min|off',
    summary: "The pace; else the profile's quota, of which a live profile gives 20 %.",
  }),
  results: Flags.string({
    helpValue: 'FILE|-',
    summary: 'Write how each row ended, as NDJSON or CSV by its name; - is stdout.',
  }),
  'as-they-end': Flags.boolean({
    dependsOn: ['results'],
    summary: 'Results as rows end, not in the order of the rows when the run ends.',
  }),
  'failed-rows': Flags.string({
    helpValue: 'FILE',
    summary: 'Write the rows that failed to a file, to correct and run again.',
  }),
  unordered: Flags.boolean({
    summary: 'Send rows of the same resource without waiting for each other, in any order.',
  }),
  'keep-going': Flags.boolean({
    summary: 'Continue after five rows in a row that fail in the same way.',
  }),
  confirm: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'NAME:COUNT',
    summary:
      "Confirm a value that can't be undone, and in how many rows; or on a live profile an operation that destroys; repeatable.",
  }),
  'audit-user': operationFlags['audit-user'],
  strict: operationFlags.strict,
}
