import {readSync, writeSync} from 'node:fs'
import {homedir} from 'node:os'
import process from 'node:process'
import {isatty} from 'node:tty'
import {readManifest} from '../help/manifest.ts'
import {helpTopics} from '../help/topics.ts'
import {osUser} from '../os-user.ts'
import {topics} from '../package-files.ts'
import {complete, completionText} from './complete.ts'
import {knownValues} from './known-values.ts'

/** A command line is shorter than this, in bytes. */
const LONGEST = 128 * 1024

/**
 * `cardctl __complete`: reads the words from stdin, each ended by a zero byte, the last one up to the cursor. Other
 * processes can read a command line, and a word may be a secret, so they are no arguments. Prints no error: a shell would
 * show it in the middle of what is typed.
 */
export function start(): void {
  // Nobody completes by hand.
  if (isatty(0)) return
  try {
    const words = readWords()
    const {commands} = readManifest()
    const surroundings = {
      env: process.env,
      platform: process.platform,
      homedir: homedir(),
      osUser: osUser(),
    }
    const facts = {commands, topics, helpTopics, known: knownValues(surroundings)}
    writeAll(completionText(complete(words, facts)))
  } catch {
    process.exitCode = 1
  }
}

function readWords(): string[] {
  const buffer = Buffer.alloc(LONGEST)
  let length = 0
  for (let count = -1; count !== 0 && length < LONGEST; length += count)
    count = readSync(0, buffer, length, LONGEST - length, null)
  const words = buffer.toString('utf8', 0, length).split('\0')
  // What follows the last zero byte: nothing, or the line feed that PowerShell adds.
  return words.slice(0, -1)
}

function writeAll(text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at)
}
