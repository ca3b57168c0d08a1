import type {Journal} from '../../journal/index.ts'
import type {Context} from '../context.ts'

/** Says, until something is sent, that a profile leads to another service than before, whose journal is another one. */
export function tellMoved(journal: Journal, profile: string, {printer, commandLine}: Context): void {
  const before = journal.servicesBefore()
  if (before.length === 0) return
  const services = before.map(({service}) => service).join('; ')
  printer.warn(
    `Profile ${profile} now leads to ${journal.service.words}. Its requests and bulk jobs so far belong to ${services}, and protect nothing here. If that service has a new address: ${commandLine('requests', 'rebind')}`,
  )
}
