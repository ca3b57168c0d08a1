import {cacheCompiledCode} from './compile-cache.ts'
import {answerForNamelessUser} from './nameless-user.ts'

/** What must be in place before any other code is loaded. */
export function beforeStart(): void {
  answerForNamelessUser()
  cacheCompiledCode()
}
