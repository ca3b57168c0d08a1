import type {Operation} from '../../contract/operation.ts'
import type {DocumentOperation} from '../document/document.ts'
import {wordsIn} from '../map/words.ts'
import {NOISE, singular} from './concepts.ts'

/** Verbs that ask for the same action. */
const READ = words('get list read show fetch find search view retrieve query lookup return describe display')
const SAME: readonly ReadonlySet<string>[] = [
  READ,
  words('update patch change set edit modify adjust'),
  words('delete remove'),
  words('create add'),
  words('enrol enroll register'),
]
/** Verbs of an action of its own. */
const OTHER = words(
  `abort accept activate anonymise anonymize approve archive authorise authorize ban cancel clear close confirm
  deactivate decline destroy disable discard drop enable erase execute expire finalise finalize freeze generate
  initiate invalidate liquidate merge migrate move overwrite pause pay perform post produce provision publish purge
  reactivate redeem refund reissue reject reload renew reopen replace reset resend restart restore resume retry reverse
  revert revoke rotate run send settle start stop submit suspend terminate tokenise tokenize toggle trigger unblock
  undelete unfreeze unlink unload unlock unregister unsuspend upload upsert void wipe withdraw write`,
)
/** Words that may as well be nouns: they are verbs only where a sentence or a name begins. */
const EITHER = words(
  `apply assign block capture change charge check credit debit delay deposit export hold import issue limit link
  load lock mark open order patch preview print process report request return set simulate sync top transfer validate
  verify view`,
)
const ALL: ReadonlySet<string> = new Set([...SAME.flatMap(one => [...one]), ...OTHER, ...EITHER])
/** What a name may say besides without becoming another action. */
const PLAIN = words(
  `a all an api by controller current data details detail for from full id info information of one overview
  resource single summary the to with`,
)

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}

/**
 * Why the name and summary of their operation leave a doubt that it does what ours does: a verb of another action,
 * or for a write no word of ours. A path and a method alone say too little of what a request changes.
 *
 * @param known the words that it may speak of
 */
export function doubtsOfWords(
  operation: Operation,
  own: DocumentOperation,
  theirs: DocumentOperation,
  known: (word: string) => boolean,
): readonly string[] {
  const isRead = operation.effect === 'read' || operation.effect === 'disclose'
  const said = [own.operationId, own.summary].flatMap(verbsIn)
  const ours = new Set(SAME.filter(all => said.some(verb => all.has(verb))).flatMap(all => [...all]))
  if (isRead) for (const verb of READ) ours.add(verb)
  for (const verb of said) ours.add(verb)
  const name = theirs.operationId ?? ''
  // An imported operation without words of its own is summed up by its request.
  const summary = theirs.summary === `${theirs.method} ${theirs.path}` ? undefined : theirs.summary
  const found = [...new Set([name, summary].flatMap(verbsIn))]
  // "list" is also a word of price lists.
  const others = found.filter(verb => !ours.has(verb) && (isRead || !known(verb)))
  if (others.length > 0) return [`its name or summary says ${others.join(', ')}`]
  if (found.some(verb => ours.has(verb) && (isRead || !READ.has(verb)))) return []
  if (!isRead) return ['only its path and method say what it does']
  const strange = wordsIn(name).filter(
    word => !/^v?\d+$/.test(word) && !PLAIN.has(word) && !NOISE.has(word) && !known(word),
  )
  return strange.length === 0 ? [] : [`its name says ${strange.join(', ')}`]
}

/** The verbs of a name or a sentence, without endings: `Closes the account` is close. */
function verbsIn(text: string | undefined): readonly string[] {
  return (text ?? '').split(/[.,;:!?()/]|\b(?:and|or|then)\b/i).flatMap(clause =>
    wordsIn(clause).flatMap((word, at) => {
      const verb = [word, singular(word), word.replace(/(?:ing|es)$/, ''), word.replace(/ing$/, 'e')].find(
        one => ALL.has(one),
      )
      return verb === undefined || (at > 0 && EITHER.has(verb)) ? [] : [verb]
    }),
  )
}
