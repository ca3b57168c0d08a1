import {basename} from 'node:path'
import {advice} from '../../errors/advice.ts'
import {cardctl} from '../../errors/suggested-command.ts'
import {readDocumentFile} from '../../input/read-document-file.ts'
import {LIMITS} from '../../limits/limits.ts'
import {unusableFile} from '../../user-files/index.ts'
import {readSuite} from './read-suite.ts'
import type {Suite} from './suite-file.ts'
import {suiteAsYaml} from './write-suite.ts'

/**
 * @throws Failure INPUT_INVALID if the file cannot be read, or with everything that is wrong in it, by line and column.
 */
export async function loadSuite(file: string): Promise<Suite> {
  const text = await readDocumentFile(file, LIMITS.suite.bytes)
  const {suite, problems} = await readSuite(text, nameOf(file))
  if (suite) return suite
  throw unusableFile(
    file,
    problems,
    advice`For the format of suites, see ${cardctl('help', 'webhook-tests')}`,
  )
}

/** The text of a suite, to copy from. @throws Failure INPUT_INVALID if the file cannot be read */
export async function showSuite(file: string): Promise<string> {
  return suiteAsYaml(await readDocumentFile(file, LIMITS.suite.bytes), nameOf(file))
}

const nameOf = (file: string): string => basename(file).replace(/\.\w+$/, '')
