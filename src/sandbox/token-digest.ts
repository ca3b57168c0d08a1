import {nodeCrypto} from './node-crypto.ts'

/** What the store keeps of a random token: enough to know it again, and nothing to use it with. */
export function tokenDigest(token: string): string {
  return nodeCrypto().hash('sha256', token, 'base64url')
}
