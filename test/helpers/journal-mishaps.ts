// What happens to a journal and to certificates, from outside.
import {execFileSync} from 'node:child_process'
import {closeSync, globSync, openSync, statSync, writeSync} from 'node:fs'
import {join} from 'node:path'
import {Worker} from 'node:worker_threads'

const journalIn = (home: string): string => {
  const [file] = globSync(join(home, '.local/share/cardctl/journal/*.db'))
  if (file === undefined) throw new Error('no journal')
  return file
}

/** Longer than the tool waits twice, ms: after the first wait, a row may be left, and the run goes on. */
const LOCK_MS = 25_000

// The tool blocks its thread while it waits.
const LOCKER = `
const {parentPort, workerData: {file, ms}} = require('node:worker_threads')
const db = new (require('node:sqlite').DatabaseSync)(file, {timeout: 5_000})
db.exec('BEGIN IMMEDIATE')
parentPort.postMessage('locked')
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
db.close()`

/** Another program holds the write lock for some time. Settles when it has it. */
export async function lockJournal(home: string): Promise<void> {
  const worker = new Worker(LOCKER, {eval: true, workerData: {file: journalIn(home), ms: LOCK_MS}})
  await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
}

/** Overwrites its pages from the second on. */
export function damageJournal(home: string): void {
  const file = journalIn(home)
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(statSync(file).size - 4096, 0xa5), 0, undefined, 4096)
  closeSync(descriptor)
}

/** A certificate that nobody else signed, and which has ended. */
export function expiredCertificate(folder: string): {readonly cert: string; readonly key: string} {
  const [cert, key, request] = ['expired.pem', 'expired.key.pem', 'expired.csr'].map(name =>
    join(folder, name),
  ) as [string, string, string]
  const openssl = (...args: string[]) => execFileSync('openssl', args, {stdio: 'pipe'})
  const of = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=other.test'.split(' ')
  openssl('req', '-new', ...of, '-addext', 'subjectAltName=DNS:other.test', '-keyout', key, '-out', request)
  const until = ['-days', '-1', '-copy_extensions', 'copyall']
  openssl('x509', '-req', '-in', request, '-signkey', key, ...until, '-out', cert)
  return {cert, key}
}
