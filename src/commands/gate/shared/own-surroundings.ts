import {Readable, Writable} from 'node:stream'
import type {DaySums} from '../../../cli/pass-policy.ts'
import type {Surroundings} from '../../../cli/surroundings.ts'

/** What a request of another user is sent with: nobody to ask, nothing of a terminal, and that user's name in records. */
export function ownSurroundings(
  outside: Surroundings,
  {user, daySums, signal}: {readonly user: string; readonly daySums: DaySums; readonly signal: AbortSignal},
): Surroundings {
  return {
    env: {
      ...Object.fromEntries(Object.entries(outside.env).filter(([name]) => !DECIDED_HERE.has(name))),
      CARDCTL_NO_INPUT: '1',
    },
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
    signal,
    // Others wait for this process, so no signal ends it in the middle of work.
    abandonably: work => work(),
    showAbandonably: work => work(),
    atExit: act => outside.atExit(act),
  }
}

const DECIDED_HERE: ReadonlySet<string> = new Set([
  'CARDCTL_DEBUG',
  'CARDCTL_LOG_FORMAT',
  'CARDCTL_OUTPUT',
  'CARDCTL_PROFILE',
  'CARDCTL_QUIET',
  'CARDCTL_YES',
])

class Nowhere extends Writable {
  override _write(_chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    done()
  }
}
