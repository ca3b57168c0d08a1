import {openClient} from '../../../cli/client/client.ts'
import type {RowSender} from '../../../cli/client/rows.ts'
import type {Context} from '../../../cli/context.ts'
import {type ProbeCall, probeCall} from '../../../cli/probe-call.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {
  broken,
  clockFinding,
  doubtful,
  type Finding,
  fine,
  latencyFinding,
  quotaFinding,
  type Seen,
  type Step,
} from '../../../doctor/index.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'

const READS = 5
/**
 * Checks whether the service accepts the credential, how fast it responds, and what it says about its clock and limits.
 */
export function serviceSteps(context: Context): readonly Step[] {
  const seen: Seen[] = []
  const answered = {needs: ['authentication']}
  const last = (): Seen | undefined => seen.at(-1)
  return [
    {
      id: 'authentication',
      area: 'service',
      title: 'Authentication',
      needs: ['credential', 'tls'],
      whenBroken: 'the service does not respond to a read',
      look: () => asking(context, asked => firstRead(asked, seen)),
    },
    {
      id: 'clock',
      area: 'service',
      title: 'Clock',
      needs: ['credential', 'tls'],
      look: async () => {
        const response = last()
        return response === undefined
          ? {state: 'unchecked', message: 'not checked, because no response came'}
          : clockFinding(response)
      },
    },
    {
      id: 'latency',
      area: 'service',
      title: 'Latency',
      ...answered,
      look: () =>
        asking(context, async ({send}) => {
          // The first read includes opening the connection, so it doesn't count for the response time.
          const durations: number[] = []
          for (let read = 0; read < READS; read++) {
            const before = last()
            // An error response says as much about the response time.
            await send(seen).catch((error: unknown) => {
              if (last() === before || !(error instanceof Failure)) throw error
            })
            const response = last()
            if (response) durations.push(response.answeredAt - response.sentAt)
          }
          return latencyFinding(durations)
        }),
    },
    {
      id: 'quota',
      area: 'service',
      title: 'Quota',
      needs: ['credential', 'tls'],
      look: async () => {
        const {profile} = await context.service.chosen()
        return quotaFinding(last() ?? NOTHING_SEEN, profile.rate)
      },
    },
  ]
}

const NOTHING_SEEN: Seen = {status: 0, headers: {}, sentAt: 0, answeredAt: 0}

/** The same read as in `profiles test`. */
interface Asked {
  readonly probe: ProbeCall
  /** Sends the read once, and adds its response if there is one. */
  send(seen: Seen[]): Promise<void>
}

async function asking(context: Context, ask: (asked: Asked) => Promise<Finding>): Promise<Finding> {
  const client = await openClient(context, await context.service.target())
  try {
    const probe = probeCall(client.target)
    const sender = await client.rows(operations[probe.call.operation])
    return await ask({probe, send: seen => read(context, sender, probe, seen)})
  } finally {
    await client.close()
  }
}

async function read(
  {surroundings: {now}}: Context,
  sender: RowSender,
  {call: {path = {}, query = {}}}: ProbeCall,
  seen: Seen[],
): Promise<void> {
  await sender.build({path: {...path}, query}).send(async () => {
    const sentAt = now()
    return {
      answered: (status, _retryAfterMs, headers) =>
        void seen.push({status, headers, sentAt, answeredAt: now()}),
    }
  })
}

async function firstRead({probe, send}: Asked, seen: Seen[]): Promise<Finding> {
  const {method, path} = operations[probe.call.operation]
  try {
    await send(seen)
    return fine(`accepted: ${method} ${path} got a response`, {facts: {status: seen.at(-1)?.status ?? null}})
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const {code, message, details} = error
    const facts = {status: details.status ?? null}
    if (code === 'FORBIDDEN') {
      return fine(`accepted; the service does not let this user read ${path} (403)`, {facts})
    }
    if (probe.proves(error)) return fine(`accepted: the service looked for a card`, {facts})
    if (code === 'NOT_FOUND') {
      return doubtful(
        `${method} ${path} is not there (404); whether the credential is good is not known`,
        advice`If the service has batch transfers elsewhere: ${cardctl('profiles', 'edit', {value: 'NAME'}, '--prefix', {value: 'a2a=/PATH'})}`,
        {facts},
      )
    }
    if (details.isPage === true) {
      return broken(
        code,
        'the response is an HTML page, perhaps of a login or a proxy',
        'Check the address of the profile, and whether a proxy or VPN asks for a login.',
        {facts},
      )
    }
    const what =
      code === 'UNAUTHENTICATED'
        ? advice`Ask the service which credential it takes, and store it: ${cardctl('profiles', 'edit', {value: 'NAME'}, '--secret', '-')}`
        : error.advice
    return broken(code, message.replace(/\.$/, ''), what, {facts})
  }
}
