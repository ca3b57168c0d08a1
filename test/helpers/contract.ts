import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {load} from 'js-yaml'

/** The built-in contract as one document, generated from `src/contract/openapi/`. */
export const contractFile = fileURLToPath(new URL('../../src/contract/openapi.gen.yaml', import.meta.url))

export const contractText = readFileSync(contractFile, 'utf8')

export const contractDocument: unknown = load(contractText)
