import {once} from 'node:events'
import {connect, type Socket} from 'node:net'
import {callOf} from '../../test/webhook/calls.ts'

/** How many calls were answered in a span, and how long each took, ms. */
export interface Load {
  readonly perSecond: number
  readonly times: readonly number[]
}

let count = 0

const ID = 'bench-000000000000'
const HEAD = (length: number) =>
  `POST /auth HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`

/** Bytes of a call that differ in their id only, so that making one costs nothing beside answering it. */
function callBytes(): () => Buffer {
  const body = JSON.stringify(callOf('contactless', ID))
  const whole = Buffer.from(HEAD(Buffer.byteLength(body)) + body)
  const at = whole.indexOf(ID) + 'bench-'.length
  return () => {
    const call = Buffer.from(whole)
    call.write(String(++count).padStart(12, '0'), at, 'latin1')
    return call
  }
}

/** Calls on so many connections, on each the next when the last is answered. @throws when an answer is no 200. */
export async function load(port: number, connections: number, forMs: number): Promise<Load> {
  const nextCall = callBytes()
  const times: number[] = []
  const began = performance.now()
  await Promise.all(
    Array.from({length: connections}, async () => {
      const socket = connect({port, host: '127.0.0.1', noDelay: true})
      await once(socket, 'connect')
      await calls(socket, nextCall, times, began + forMs)
      socket.destroy()
    }),
  )
  return {perSecond: times.length / ((performance.now() - began) / 1000), times}
}

function calls(socket: Socket, nextCall: () => Buffer, times: number[], until: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let sent = performance.now()
    let answer = ''
    socket.on('error', reject).on('close', () => reject(new Error('The server closed a connection.')))
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text
      const head = answer.indexOf('\r\n\r\n')
      const length = /content-length: (\d+)/i.exec(answer)?.[1]
      if (head < 0 || length === undefined || answer.length < head + 4 + Number(length)) return
      if (!answer.startsWith('HTTP/1.1 200')) return void reject(new Error(answer))
      const now = performance.now()
      times.push(now - sent)
      answer = ''
      if (now >= until) {
        socket.removeAllListeners('close')
        return void resolve()
      }
      sent = now
      socket.write(nextCall())
    })
    socket.write(nextCall())
  })
}

/** The value that a part of all is not above. */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN
}
