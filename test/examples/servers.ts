// Servers of examples: started, waited for, called, and ended as a person would.
import {request as plainRequest} from 'node:http'
import {request as tlsRequest} from 'node:https'
import {PassThrough} from 'node:stream'
import {setTimeout as delay} from 'node:timers/promises'
import type {CommandLine} from '../docs/command-lines.ts'
import type {Ended, Terminal} from './terminal.ts'

export interface RunningServer {
  /** `webhook serve` or `sandbox serve`. */
  readonly kind: string
  /** Presses Ctrl-C and waits for the end. */
  end(): Promise<Ended>
}

/** Whether a command runs until it is ended. */
export const isServer = (words: CommandLine): boolean =>
  kindOf(words).endsWith(' serve') || words.includes('--watch') || words.includes('--follow')

export const kindOf = (words: CommandLine): string => words.slice(0, 2).join(' ')

/** Starts it and calls it once, so that it has done what it is for. */
export async function startServer(terminal: Terminal, words: CommandLine): Promise<RunningServer> {
  const stop = new AbortController()
  const keyboard = Object.assign(new PassThrough(), {isTTY: true})
  let shown = ''
  const {promise: listening, resolve} = Promise.withResolvers<string>()
  const ended = terminal.call(words, {
    env: terminal.env,
    input: keyboard,
    signal: stop.signal,
    sleep: async (ms, signal) => {
      await delay(ms, undefined, signal ? {signal} : {})
    },
    written: (_, chunk) => {
      shown += chunk.toString()
      const url = /(?<!to )https?:\/\/127\.0\.0\.1:\d+/.exec(shown)?.[0]
      if (url !== undefined) resolve(url)
      else if (words.includes('--watch') || words.includes('--follow')) resolve('')
    },
  })
  void ended.then(() => resolve(''))
  // It may have nothing to print yet.
  if (words.includes('--follow')) void delay(300).then(() => resolve(''))
  const url = await listening
  if (url !== '') await callOnce(terminal, url, {words, keyboard})
  return {
    kind: kindOf(words),
    end: () => {
      stop.abort('SIGINT')
      return ended
    },
  }
}

async function callOnce(
  terminal: Terminal,
  url: string,
  {words, keyboard}: {words: CommandLine; keyboard: PassThrough},
): Promise<void> {
  if (words[0] === 'sandbox') {
    const path = words.includes('--isolated') ? '/_sandboxes' : '/v4/3001?auditUser=me'
    const status = await get(url + path, terminal.env.SANDBOX_CREDENTIAL)
    if (status !== 200) throw new Error(`${words.join(' ')}: ${status}`)
    return
  }
  // Whoever is asked approves.
  const approve = setInterval(() => keyboard.write('a'), 300)
  const called = await terminal.call(['webhook', 'trigger', 'auth', '--to', url, ...profileOf(words)], {
    env: terminal.env,
  })
  clearInterval(approve)
  const expected = words.includes('--decline') ? [6] : [0]
  if (!expected.includes(called.code)) throw new Error(`${words.join(' ')}: ${called.stderr}`)
}

function get(url: string, credential: string | undefined): Promise<number | undefined> {
  const send = url.startsWith('https:') ? tlsRequest : plainRequest
  const options = {rejectUnauthorized: false, ...(credential === undefined ? {} : {auth: credential})}
  return new Promise((resolve, reject) => {
    send(url, options, response => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

/** The profile whose credentials the server wants, as it was passed to it. */
const profileOf = (words: CommandLine): CommandLine => {
  const at = words.indexOf('-p')
  return at === -1 ? [] : words.slice(at, at + 2)
}
