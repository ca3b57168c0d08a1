import type {Journal} from '../../journal/index.ts'
import type {Context} from '../context.ts'

/** Says, until something is sent, that a profile leads to another service than before, whose journal is another one. */
export function tellMoved(journal: Journal, profile: string, {printer, commandLine}: Context): void {
  const before = journal.servicesBefore()
  if (before.length === 0) return
  const services = before.map(({service}) => service).join('; ')
  printer.warn(
    `Profile ${profile} leads to ${journal.service.words}. Its requests and bulk jobs so far belong to ${services}, and protect nothing here. If that service has moved here: ${commandLine('requests', 'rebind')}. If this address is the old one, correct the profile.`,
  )
}
