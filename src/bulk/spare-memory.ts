import {setFlagsFromString} from 'node:v8'

/**
 * For runs of any length: keeps the space for new objects as small as it is. Rows on their way outlive V8's short looks
 * at what is new, and it would take that for a reason to double the space, up to some 50 MiB that never come back.
 */
export function spareMemory(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
