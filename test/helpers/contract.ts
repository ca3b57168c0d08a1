import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {load} from 'js-yaml'

/** The built-in contract as one document, generated from `src/contract/openapi/`. */
export const contractFile = fileURLToPath(new URL('../../src/contract/openapi.gen.yaml', import.meta.url))

export const contractText = readFileSync(contractFile, 'utf8')

export const contractDocument: unknown = load(contractText)

/** What `contract diff` prints as JSON. */
export interface Differences {
  readonly breaks: boolean
  readonly broken: readonly string[]
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly deprecated: number
  readonly operations: readonly {
    readonly id: string | null
    readonly request: string
    readonly nowAt?: string
    readonly change: string
    readonly breaks: boolean
    readonly commands: readonly string[]
    readonly differences: readonly {
      side: string
      change: string
      pointer: string
      message: string
      breaks: boolean
    }[]
  }[]
}

/** A small document for import, with a schema that contains itself. */
export const TREE = `
openapi: 3.1.0
info: {title: Tree, version: '1'}
paths:
  /tree:
    get:
      operationId: getTree
      responses:
        '200':
          description: The tree
          content: {application/json: {schema: {$ref: '#/components/schemas/Node'}}}
components:
  schemas:
    Node:
      type: object
      required: [name]
      properties:
        name: {type: string}
        children: {type: array, items: {$ref: '#/components/schemas/Node'}}
`
