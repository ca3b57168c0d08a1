import {homedir, userInfo} from 'node:os'
import process from 'node:process'

/**
 * A user id without a name, as in many containers, has no home folder and no shell, and packages that ask for them as
 * they load would end the process. They ask the environment first. An empty HOME is no folder either: whoever needs one
 * says what to do.
 */
export function answerForNamelessUser(): void {
  const {env} = process
  if (env.HOME === undefined && fails(homedir)) env.HOME = ''
  if (env.SHELL === undefined && fails(userInfo)) env.SHELL = '/bin/sh'
}

function fails(ask: () => unknown): boolean {
  try {
    ask()
    return false
  } catch {
    return true
  }
}
