import {basename} from 'node:path'
import {LIMITS} from '../../limits/limits.ts'
import {readTextFile, unusableFile} from '../text-file.ts'
import {readSuite} from './read-suite.ts'
import type {Suite} from './suite-file.ts'
import {suiteAsYaml} from './write-suite.ts'

/**
 * @throws Failure INPUT_INVALID if the file cannot be read, or with everything that is wrong in it, by line and column.
 */
export async function loadSuite(file: string, signal: AbortSignal): Promise<Suite> {
  const text = await readTextFile(file, signal, LIMITS.suite.bytes)
  const {suite, problems} = await readSuite(text, nameOf(file))
  if (suite) return suite
  throw unusableFile(file, problems, 'For the format of suites, see docs/webhook-tests.md.')
}

/** The text of a suite, to copy from. @throws Failure INPUT_INVALID if the file cannot be read */
export async function showSuite(file: string, signal: AbortSignal): Promise<string> {
  return suiteAsYaml(await readTextFile(file, signal, LIMITS.suite.bytes), nameOf(file))
}

const nameOf = (file: string): string => basename(file).replace(/\.\w+$/, '')
