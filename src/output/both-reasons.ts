import {joined, textAt} from './fields.ts'

/**
 * Why something was done. What was approved has two reasons, each with who gave it: "aino: Customer left; bo: Balance is
 * zero". An approval without a reason of its own has that of the proposal.
 */
export function reasonsOf(request: unknown): string {
  const [note, proposed] = [textAt(request, 'note'), textAt(request, 'proposedNote')]
  if (proposed === '') return note
  const own = note === '' || note === proposed ? '' : `${textAt(request, 'auditUser')}: ${note}`
  return joined([`${textAt(request, 'proposedBy')}: ${proposed}`, own], '; ')
}
