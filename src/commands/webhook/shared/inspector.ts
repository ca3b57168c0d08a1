import {randomBytes} from 'node:crypto'
import {isIPv6} from 'node:net'
import {join} from 'node:path'
import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'
import {reasonOf} from '../../../errors/system-reason.ts'
import {readOwnFile} from '../../../files/open-own-file.ts'
import {placeFile} from '../../../files/place-file.ts'
import {isLoopback} from '../../../sensitive/loopback.ts'
import {Secret} from '../../../sensitive/secret.ts'
import {createInspector, type Inspector, type InspectorOptions, pageAt} from '../../../webhook/index.ts'
import type {WebhookServerFlags} from './serve-flags.ts'

/** The inspector page of a listener, and its link once the listener's URL is known. */
export interface LinkedInspector extends Inspector {
  linkFor(url: string): string
}

const EVERYWHERE = ['0.0.0.0', '::']

/**
 * Creates the inspector page if `--inspect` asks for it.
 * @throws Failure USAGE if no browser of this machine could open it; CONFIG_DAMAGED, CONFIG_UNREADABLE for its key.
 */
export function openInspector(
  context: Context,
  {host, inspect}: WebhookServerFlags,
  options: Omit<InspectorOptions, 'place' | 'key' | 'epoch'>,
): LinkedInspector | undefined {
  if (!inspect) return undefined
  if (!EVERYWHERE.includes(host) && !isLoopback(isIPv6(host) ? `[${host}]` : host)) {
    throw new Failure('USAGE', {
      message: `--inspect is for browsers on this machine, but --host ${host} doesn't listen there.`,
      hint: 'Leave out --host, or pass --host 0.0.0.0 to listen everywhere.',
    })
  }
  const kept = keyOfPage(context)
  const inspector = createInspector({...options, ...kept, epoch: randomBytes(16).toString('base64url')})
  return {...inspector, linkFor: url => linkFor(url, pageAt(kept.place), kept.key)}
}

/** If the server listens on all interfaces, the link uses the loopback address. Browsers don't send what is after `#`. */
function linkFor(address: string, path: string, key: Secret): string {
  const url = new URL(path, address)
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  if (url.hostname === '[::]') url.hostname = '[::1]'
  url.hash = `key=${key.open()}`
  return url.href
}

type PageKey = Pick<InspectorOptions, 'place' | 'key'>

const KEY = /^([\w-]{22}) ([\w-]{43})\n$/
const SHORT = 4096

/** Path and key of the page. They outlive the server, so that open pages go on with the next one. */
function keyOfPage({folders}: Context): PageKey {
  const file = join(folders.data, 'webhook', 'inspector.key')
  const known = readKey(file)
  if (known) return known
  const random = (bytes: number) => randomBytes(bytes).toString('base64url')
  try {
    placeFile(file, `${random(16)} ${random(32)}\n`)
  } catch (error) {
    throw new Failure('CONFIG_UNREADABLE', {
      message: `The key file of the inspector page, ${file}, can't be created: ${reasonOf(error)}.`,
      cause: error,
    })
  }
  // Another process may have been first.
  const placed = readKey(file)
  if (placed === undefined) throw damaged(file)
  return placed
}

/** @returns undefined if there is no file. @throws Failure */
function readKey(file: string): PageKey | undefined {
  const bytes = readOwnFile(file, SHORT)
  if (bytes === undefined) return undefined
  const [, place, key] = KEY.exec(bytes.toString('latin1')) ?? []
  if (place === undefined || key === undefined) throw damaged(file)
  return {place, key: new Secret(key)}
}

const damaged = (file: string) =>
  new Failure('CONFIG_DAMAGED', {
    message: `The key file of the inspector page, ${file}, is damaged; cardctl did not change it.`,
    hint: 'Delete the file. Pages that are open need the new link then.',
  })
