import {spawnSync} from 'node:child_process'
import {readFileSync, rmSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import process from 'node:process'
import {environment} from '../run.ts'

/** What no topic says. Operations and schemas are in one file for each topic next to it. */
const ENTRY = 'src/contract/openapi/openapi.yaml'
/** The entry with the paths of all topics, while Redocly reads it. Not `.yaml`: it is no part of the contract. */
const WHOLE = 'src/contract/openapi/openapi.gen.yml'

const REDOCLY = 'node_modules/@redocly/cli/bin/cli.js'

/** Runs work on the path of the entry with the paths of all topics, in the order of the tags. */
export function withWholeEntry<T>(work: (path: string) => T): T {
  const entry = readFileSync(ENTRY, 'utf8')
  const topics = [...entry.matchAll(/^ {2}- name: (\w+)$/gm)].flatMap(([, topic = '']) => topic)
  const paths = topics.flatMap(topic => {
    const text = readFileSync(join(dirname(ENTRY), `${topic}.yaml`), 'utf8')
    return [...text.matchAll(/^ {2}(\/.*):$/gm)].map(
      ([, path = '']) =>
        `  ${path}: {$ref: '${topic}.yaml#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}'}\n`,
    )
  })
  writeFileSync(WHOLE, `${entry}paths:\n${paths.join('')}`)
  try {
    return work(WHOLE)
  } finally {
    rmSync(WHOLE)
  }
}

/** The contract as one OpenAPI document, with the comment that explains its marks. @throws Error that quotes Redocly */
export function bundleContract(): string {
  const {status, stdout, stderr} = withWholeEntry(path =>
    spawnSync(
      process.execPath,
      [REDOCLY, 'bundle', path, '--component-renaming-conflicts-severity', 'error'],
      {encoding: 'utf8', env: environment()},
    ),
  )
  if (status !== 0) throw new Error(stderr)
  const [legend = ''] = /^(?:#.*\n)*/.exec(readFileSync(ENTRY, 'utf8')) ?? []
  return legend + stdout
}
