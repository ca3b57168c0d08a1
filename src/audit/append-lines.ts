import {publicKeyOf} from '../sensitive/ed25519.ts'
import type {Database} from '../sqlite/index.ts'
import {encodeLine} from './audit-entry.ts'
import {withSeal} from './seal.ts'
import {appendDurably, findTail, syncFolder, type Tail, withTrail} from './trail-file.ts'
import {readHead, writeHead} from './trail-head.ts'

type Members = Readonly<Record<string, unknown>>

/** Lines as text that continues the chain, and where it then ends. The first line of a trail names its key. */
export function chain(
  lines: readonly Members[],
  from: {seq: number; hash: string},
  key: Buffer,
): {text: string; seq: number; hash: string} {
  let {seq, hash} = from
  let text = ''
  for (const members of lines) {
    seq++
    const named = seq === 1 ? {...members, publicKey: publicKeyOf(key)} : members
    const line = encodeLine(withSeal({seq, ...named}, hash, key), hash)
    text += `${line.text}\n`
    hash = line.hash
  }
  return {text, seq, hash}
}

/** Appends lines; the caller holds the lock. What a killed process or a stranger left is closed off and said first. */
export function appendLines(
  db: Database,
  file: string,
  lines: readonly Members[],
  {at, key}: {readonly at: string; readonly key: Buffer},
): void {
  withTrail(file, 'append', (descriptor, size) => {
    const tail = findTail(descriptor, size, readHead(db, key))
    const next = chain([...aboutTail(tail, at), ...lines], tail, key)
    const text = (tail.open ? '\n' : '') + next.text
    if (text === '') return
    appendDurably(descriptor, size, text)
    if (size === 0) syncFolder(file)
    writeHead(db, {seq: next.seq, hash: next.hash, size: size + text.length}, key)
  })
}

function aboutTail({torn, unsealed, gap}: Tail, at: string): Members[] {
  const lines: Members[] = []
  if (torn.length > 0) {
    lines.push({
      at,
      kind: 'repair',
      note: 'A process was killed while it appended; the fragment before this line is all that it wrote.',
      torn,
    })
  }
  if (unsealed > 0) {
    lines.push({
      at,
      kind: 'unsealed',
      note: `Number of lines before this one that were not sealed: ${unsealed}. Their process was killed, or somebody added them.`,
    })
  }
  if (gap) {
    lines.push({
      at,
      kind: 'gap',
      note: 'Lines before this one were removed or changed from outside, or the seal on them is missing.',
    })
  }
  return lines
}
