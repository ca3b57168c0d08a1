import {Readable, Writable} from 'node:stream'
import type {DaySums} from '../../../cli/pass-policy.ts'
import type {LateRecords} from '../../../cli/record-changes.ts'
import {environmentForOthers} from '../../../cli/serving/environment-for-others.ts'
import type {Surroundings} from '../../../cli/surroundings.ts'

/** What a request of another user is sent with: nobody to ask, nothing of a terminal, and that user's name in records. */
export function ownSurroundings(
  outside: Surroundings,
  {
    user,
    daySums,
    lateRecords,
    signal,
  }: {
    readonly user: string
    readonly daySums: DaySums
    readonly lateRecords: LateRecords
    readonly signal: AbortSignal
  },
): Surroundings {
  return {
    env: environmentForOthers(outside.env),
    stdin: Readable.from([]),
    stdout: new Nowhere(),
    stderr: new Nowhere(),
    platform: outside.platform,
    homedir: outside.homedir,
    osUser: user,
    pid: outside.pid,
    now: () => outside.now(),
    random: () => outside.random(),
    newKey: () => outside.newKey(),
    sleep: (ms, abort) => outside.sleep(ms, abort),
    ...(outside.openKeyring === undefined ? {} : {openKeyring: outside.openKeyring}),
    ...(outside.policyPlace === undefined ? {} : {policyPlace: outside.policyPlace}),
    daySums,
    lateRecords,
    signal,
    // Others wait for this process, so no signal ends it in the middle of work.
    abandonably: work => work(),
    showAbandonably: work => work(),
    atExit: act => outside.atExit(act),
  }
}

class Nowhere extends Writable {
  override _write(_chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    done()
  }
}
