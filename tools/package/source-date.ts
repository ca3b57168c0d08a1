import {execFileSync} from 'node:child_process'
import process from 'node:process'

/** Of the last commit, in seconds, unless the environment says: https://reproducible-builds.org/specs/source-date-epoch/ */
export const sourceDate = (): number =>
  Number(process.env.SOURCE_DATE_EPOCH ?? execFileSync('git', ['log', '-1', '--format=%ct']))
