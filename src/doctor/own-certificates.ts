import {X509Certificate} from 'node:crypto'
import {broken, doubtful, type Finding, fine} from './finding.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const SOON_DAYS = 30

/** When the certificates of a PEM text that the profile brings end. @param what `client certificate`, `CA` */
export function ownCertificates(what: string, pem: string, now: number): Finding {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  const ends = blocks.map(block => Date.parse(new X509Certificate(block).validTo))
  const first = Math.min(...ends)
  const days = Math.floor((first - now) / DAY_MS)
  const facts = {count: ends.length, validTo: new Date(first).toISOString(), expiresInDays: days}
  const advice = `Replace the file of the ${what}.`
  if (days < 0) return broken('TLS_FAILED', `the ${what} expired ${-days} days ago`, advice, {facts})
  const words = `the ${what} expires in ${days} days`
  return days < SOON_DAYS ? doubtful(words, advice, {facts}) : fine(words, {facts})
}
