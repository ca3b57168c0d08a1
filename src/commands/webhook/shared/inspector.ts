import {randomBytes} from 'node:crypto'
import {unwatchFile, watchFile} from 'node:fs'
import {isIPv6} from 'node:net'
import {join} from 'node:path'
import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'
import {reasonOf} from '../../../errors/system-reason.ts'
import {readOwnFile} from '../../../files/open-own-file.ts'
import {placeFile} from '../../../files/place-file.ts'
import {isLoopback} from '../../../network/check-url.ts'
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
  const file = keyFileOf(context)
  let kept = keyOfPage(file)
  const epoch = randomBytes(16).toString('base64url')
  const inspector = createInspector({...options, ...kept, epoch, lookForKey: () => renew()})
  const renew = (): void => {
    const next = orUndefined(() => readKey(file))
    if (next === undefined || next.key.open() === kept.key.open()) return
    kept = {...kept, key: next.key}
    inspector.renew(kept.key)
  }
  watchFile(file, {interval: LOOK_MS, persistent: false}, renew)
  return {
    ...inspector,
    linkFor: url => linkFor(url, kept),
    close: () => {
      unwatchFile(file, renew)
      inspector.close()
    },
  }
}

/** How often a server looks whether there is a new key, to lock windows out that ask for nothing. */
const LOOK_MS = 1000

/** A damaged file locks nobody out of a server that runs. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The page's address for browsers here: if the server listens on all interfaces, that of the loopback. */
export function pageUrl(address: string, {place}: Pick<PageKey, 'place'>): URL {
  const url = new URL(pageAt(place), address)
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  if (url.hostname === '[::]') url.hostname = '[::1]'
  return url
}

/** Browsers don't send what is after `#`. */
export function linkFor(address: string, page: PageKey): string {
  const url = pageUrl(address, page)
  url.hash = `key=${page.key.open()}`
  return url.href
}

export type PageKey = Pick<InspectorOptions, 'place' | 'key'>

const KEY = /^([\w-]{22}) ([\w-]{43})\n$/
const SHORT = 4096

/** Path and key of the page. They outlive the server, so that open pages go on with the next one. */
export function keyOfPage(file: string): PageKey {
  const known = readKey(file)
  if (known) return known
  writeKey(file, random(16), false)
  // Another process may have been first.
  const placed = readKey(file)
  if (placed === undefined) throw damaged(file)
  return placed
}

/** Locks all windows out: from now on the page opens with the link that has this key. @throws Failure */
export function renewKey(file: string): PageKey {
  writeKey(file, keyOfPage(file).place, true)
  return keyOfPage(file)
}

export const keyFileOf = ({folders}: Context): string => join(folders.data, 'webhook', 'inspector.key')

const random = (bytes: number): string => randomBytes(bytes).toString('base64url')

function writeKey(file: string, place: string, replace: boolean): void {
  try {
    placeFile(file, `${place} ${random(32)}\n`, {replace})
  } catch (error) {
    throw new Failure('CONFIG_UNREADABLE', {
      message: `The key file of the inspector page, ${file}, can't be written: ${reasonOf(error)}.`,
      cause: error,
    })
  }
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
