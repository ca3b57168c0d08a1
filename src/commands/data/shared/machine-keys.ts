import {hostname} from 'node:os'
import {knownMachines} from './known-machines.ts'
import {ownFingerprint} from './machine-key.ts'

export interface MachineKey {
  /** Its host name if it is this machine, else what it is called here. */
  readonly machine: string
  /** The fingerprint of its key. */
  readonly key: string
  readonly isOwn: boolean
}

/** The host name in letters that are safe in a line of a report. */
export const machineName = (): string =>
  hostname()
    .replace(/[^\w.-]+/g, '-')
    .slice(0, 63) || 'machine'

/** The key of this machine, which is made if there is none yet, and those that are trusted here. */
export const machineKeys = (data: string): readonly MachineKey[] => [
  {machine: machineName(), key: ownFingerprint(data), isOwn: true},
  ...knownMachines(data).map(({fingerprint, name}) => ({
    machine: name ?? '',
    key: fingerprint,
    isOwn: false,
  })),
]
