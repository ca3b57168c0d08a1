import {expect} from 'vitest'
import type {Diagnosis} from '../../src/commands/doctor/shared/diagnose.ts'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'

/** Stands in every place where a secret is kept; no report may hold it. */
export const CANARY = 'canary-token-7Q2'

export interface Scene {
  readonly home: Home
  /** Adds the profile `there` for a service at this address. */
  add(url: string, ...flags: readonly string[]): Promise<void>
  /** Runs `doctor` and gives its report. Proves that no format of it holds the secret. */
  doctor(argv?: readonly string[], options?: RunOptions): Promise<Diagnosis & {readonly code: number}>
}

/** A home whose profile leads to a service of the test. */
export async function openScene(): Promise<Scene> {
  const home = await openHome()
  const env = {THERE_TOKEN: CANARY, CARDCTL_PROFILE: 'there'}
  return {
    home,
    async add(url, ...flags) {
      const add = ['profiles', 'add', 'there', '--kind', 'test', '--base-url', url]
      const auth = flags.includes('--auth') ? [] : ['--auth', 'bearer', '--secret', 'env:THERE_TOKEN']
      expect(await home.run([...add, ...auth, ...flags])).toMatchObject({code: 0})
    },
    async doctor(argv = [], options = {}) {
      const json = await home.run(['doctor', '--json', ...argv], {...options, env: {...env, ...options.env}})
      expect(json.stdout + json.stderr).not.toContain(CANARY)
      return {...(JSON.parse(json.stdout) as Diagnosis), code: json.code}
    },
  }
}

/** The check of that id. */
export function check({checks}: Diagnosis, id: string): Diagnosis['checks'][number] {
  const found = checks.find(one => one.id === id)
  if (found === undefined) throw new Error(`No check ${id} in ${checks.map(one => one.id).join(', ')}`)
  return found
}

/** What each check came to. */
export const states = ({checks}: Diagnosis): Record<string, string> =>
  Object.fromEntries(checks.map(({id, state}) => [id, state]))
