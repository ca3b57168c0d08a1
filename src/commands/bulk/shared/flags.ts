import * as Flags from '@oclif/core/flags'
import {durationFlag, integerFlag, operationFlags, purposeFlags, typedDuration} from '../../../cli/flags.ts'
import {MAX_PAUSE_MS} from '../../../cli/pace.ts'
import {exitOf} from '../../../errors/registry.ts'

/** Flags of commands that send the rows of a job. */
export const bulkFlags = {
  concurrency: integerFlag({
    min: 1,
    max: 256,
    summary: 'Maximum number of rows to send at the same time (default 16).',
  }),
  rate: Flags.string({
    helpValue: '50/s,3000/min|off',
    summary: "Maximum rate of requests (default: the profile's rate limit, or 20% of it on live profiles).",
  }),
  'max-pause': durationFlag({
    summary: `Longest pause that the service may ask for; a longer one ends the run with exit ${exitOf('RATE_LIMITED')} (default ${typedDuration(MAX_PAUSE_MS)}).`,
  }),
  results: Flags.string({
    helpValue: 'FILE|-',
    summary: 'Write the result of each row to a file, as NDJSON or CSV by its name, or to stdout (-).',
  }),
  'as-they-end': Flags.boolean({
    dependsOn: ['results'],
    summary: 'Write each result as soon as its row ends, not in the order of the file.',
  }),
  'failed-rows': Flags.string({
    helpValue: 'FILE',
    summary:
      'Write the failed rows to a file, to correct and run again; a file with other content is left as it is.',
  }),
  unordered: Flags.boolean({
    summary: 'Send rows of the same resource in any order, without waiting for each other.',
  }),
  'keep-going': Flags.boolean({
    summary: 'Continue after five rows in a row that fail in the same way.',
  }),
  'max-failures': integerFlag({
    min: 1,
    summary: 'Stop when this many rows have failed or have an unknown effect.',
  }),
  confirm: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'NAME:COUNT',
    summary:
      'Confirm an irreversible value with its number of rows, or an operation that deletes on a live profile. Repeatable.',
  }),
  ...purposeFlags,
  'audit-user': operationFlags['audit-user'],
  strict: operationFlags.strict,
}

/** Flags of commands that find a job by `last`. */
export const sharedFlag = {
  shared: Flags.boolean({
    summary: 'Look for last among the shared jobs. The id of a job says whether it is shared.',
  }),
}
