import type {Operation} from '../../contract/operation.ts'
import type {AnyHandler} from './handler.ts'

/** The one place that names the topics. Each is loaded with its first request, so that a start loads none. */
const topics: Readonly<Record<string, () => Promise<Readonly<Record<string, AnyHandler>>>>> = {
  cards: async () => (await import('./cards.ts')).cards,
  pin: async () => (await import('./pin.ts')).pin,
  pincontrol: async () => (await import('./pincontrol.ts')).pincontrol,
  accounts: async () => (await import('./accounts.ts')).accounts,
  pricelists: async () => (await import('./pricelists.ts')).pricelists,
  a2a: async () => (await import('./a2a.ts')).a2a,
  wallets: async () => (await import('./wallets.ts')).wallets,
  sandbox: async () => (await import('./sandbox.ts')).sandbox,
  remotecheckout: async () => (await import('./remotecheckout.ts')).remotecheckout,
}

/** The handler of an operation. A test holds this list against the contract. */
export async function loadHandler({id, topic}: Operation): Promise<AnyHandler> {
  const handler = (await topics[topic]?.())?.[id]
  if (handler === undefined) throw new Error(`the sandbox has no handler for ${id}`)
  return handler
}
