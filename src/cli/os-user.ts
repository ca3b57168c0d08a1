import {userInfo} from 'node:os'
import process from 'node:process'

/** The user that runs this process. A container's user id may have no name. */
export function osUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`
  }
}
