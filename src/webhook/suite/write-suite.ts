import {maskText} from '../../sensitive/mask-text.ts'
import {readWritten} from './read-steps.ts'

/** The text of a suite to copy from: YAML as it is, and NDJSON as YAML. Card numbers are masked. */
export async function suiteAsYaml(text: string, name: string): Promise<string> {
  const {value, isLines} = await readWritten(text)
  if (!isLines || value === undefined) return maskText(text)
  const yaml = await import('yaml')
  return maskText(yaml.stringify({name, ...(value as object)}, {lineWidth: 110, defaultStringType: 'PLAIN'}))
}
