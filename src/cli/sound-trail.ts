import type {Audit, Verdict} from '../audit/index.ts'
import {Failure} from '../errors/failure.ts'

/** Follows the chain of the audit trail. @throws Failure CONFIG_DAMAGED naming the first line that breaks it. */
export function soundTrail(audit: Audit): Verdict {
  const verdict = audit.verify()
  if (!verdict.firstBroken) return verdict
  const {line, why} = verdict.firstBroken
  throw new Failure('CONFIG_DAMAGED', {
    message: `${audit.file} is broken at line ${line}: ${why}.`,
    hint: 'Keep the file as it is, and find out who changed it.',
    data: {verdict},
  })
}
