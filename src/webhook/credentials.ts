import {createHash, timingSafeEqual} from 'node:crypto'
import type {Secret} from '../sensitive/secret.ts'

/** The credentials that callers of the listener need: HTTP Basic, or a bearer token. */
export type WebhookAuth =
  | {readonly type: 'basic'; readonly user: string; readonly password: Secret}
  | {readonly type: 'bearer'; readonly token: Secret}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Compares digests, so that the time doesn't reveal how many characters were right. */
export function isAuthorised(auth: WebhookAuth, header: string | undefined): boolean {
  const [, scheme = '', credential = ''] = /^(\S+) +(\S+)$/.exec(header ?? '') ?? []
  const expected =
    auth.type === 'basic'
      ? Buffer.from(`${auth.user}:${auth.password.open()}`, 'utf8').toString('base64')
      : auth.token.open()
  return timingSafeEqual(digest(credential), digest(expected)) && scheme.toLowerCase() === auth.type
}
