import type {Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {isSenderName} from '../journal/index.ts'
import {isLoopback} from '../network/check-url.ts'
import type {Client} from './client/client.ts'
import type {Context} from './context.ts'
import type {KeptRequests} from './proposal-content.ts'
import {servedProfile} from './same-service.ts'

/** Where `gate serve` names the journal that it sends from. No path of the contract is like it. */
export const SENDER_PATH = '/_gate/journal'

const askSender: Operation = {
  id: `GET ${SENDER_PATH}`,
  topic: 'api',
  group: 'cards',
  method: 'GET',
  path: SENDER_PATH,
  prefix: '',
  summary: 'the journal of the server',
  deprecated: false,
  effect: 'read',
  idempotent: false,
  extension: true,
  pathParams: [],
  query: [],
  body: 'none',
  success: [200],
  sensitive: {request: [], reply: []},
  touches: [],
  irreversible: [],
  hazards: [],
}

/** The journal that a request of this profile is sent from: that of `gate serve` where the profile leads to one. */
export async function senderOf(context: Context, client: Client): Promise<string> {
  return (await gateSender(context, client)) ?? ownSender(context)
}

async function ownSender({stores}: Context): Promise<string> {
  using journal = await stores.quietJournal()
  return journal.senderName
}

async function gateSender(context: Context, client: Client): Promise<string | undefined> {
  const leads = await leadsToGate(context, client)
  return leads === 'no' ? undefined : askGate(client, leads === 'surely')
}

async function leadsToGate(context: Context, {target}: Client): Promise<'surely' | 'maybe' | 'no'> {
  const {socket, baseUrl, kind} = target
  if (socket !== undefined) return 'surely'
  const found = await context.policy
  // Without a policy here, the port may be one of another machine's, led here.
  if (found === undefined) return kind === 'live' && isLoopback(new URL(baseUrl).hostname) ? 'maybe' : 'no'
  const {identity} = await context.service.identity()
  return servedProfile(found, identity) === undefined ? 'no' : 'surely'
}

/** Nobody answers: nothing is known of who would. */
const SILENT: ReadonlySet<string> = new Set(['CONNECTION_FAILED', 'TIMED_OUT', 'TLS_FAILED'])

/** Undefined from another service of this machine, whatever it says to a path that it doesn't have. */
async function askGate(client: Client, isSure: boolean): Promise<string | undefined> {
  try {
    const {response} = await client.request({operation: askSender, input: {path: {}, query: {}}})
    const {body} = response
    return isObject(body) && isSenderName(body.sender) ? body.sender : undefined
  } catch (error) {
    if (error instanceof Failure && !isSure && !SILENT.has(error.code)) return undefined
    throw error
  }
}

/**
 * An approval from another machine counts once, at the journal that the proposal names. Who approves here has a journal
 * of their own that knows it, so only a server that sends for others is compared.
 *
 * @throws Failure GATE_REFUSED
 */
export async function refuseOtherSender(
  context: Context,
  client: Client,
  {id, content}: {readonly id: string; readonly content: Pick<KeptRequests, 'sender'>},
  isSigned: boolean,
): Promise<void> {
  const gate = await gateSender(context, client)
  if (gate === undefined && !isSigned) return
  const own = gate ?? (await ownSender(context))
  if (content.sender !== own) throw otherSender(id, content.sender, own)
}

export const otherSender = (id: string, named: string | undefined, own: string): Failure =>
  new Failure('GATE_REFUSED', {
    message: `Proposal ${id} can be sent only from ${named === undefined ? 'another journal' : `the journal ${named}`}, and this one is ${own}. Nothing was sent.`,
    hint: 'Propose it again here: an approval counts where it was proposed, and once.',
    effect: 'none',
  })
