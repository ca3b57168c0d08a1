import {stat} from 'node:fs/promises'
import {advice} from '../../errors/advice.ts'
import {Failure} from '../../errors/failure.ts'
import {cardctl} from '../../errors/suggested-command.ts'
import {readDocumentFile} from '../../input/read-document-file.ts'
import {LIMITS} from '../../limits/limits.ts'
import {placedIn, unusableFile} from '../../user-files/index.ts'
import {type Decider, type Decision, DecisionFault} from '../decide.ts'
import {answerInWords} from './actions.ts'
import type {Rule} from './compile-rules.ts'
import {createJudge} from './judge.ts'
import {readRules} from './read-rules.ts'

/** The rules of a file, and how to find out that it was saved again. */
export interface LoadedRules {
  readonly file: string
  readonly rules: readonly Rule[]
  /** `rules.yaml:3:7: …` */
  readonly warnings: readonly string[]
  /** Changes every time the file is saved. */
  readonly version: string
}

/**
 * @throws Failure INPUT_INVALID if the file cannot be read, or with everything that is wrong in it, by line and column.
 */
export async function loadRules(file: string): Promise<LoadedRules> {
  // Taken before the text, so that what is saved in between counts as newer.
  const version = await versionOf(file)
  const {rules, problems, warnings} = await readRules(await readDocumentFile(file, LIMITS.rules.bytes))
  if (problems.length > 0) throw unusableFile(file, problems, HINT)
  return {file, rules, warnings: warnings.map(issue => placedIn(file, issue)), version}
}

/** Changes when a file is saved, also when another file replaces it; '' if there is no file. */
export async function versionOf(file: string): Promise<string> {
  try {
    const {ino, size, mtimeNs} = await stat(file, {bigint: true})
    return `${ino} ${size} ${mtimeNs}`
  } catch {
    return ''
  }
}

const HINT = advice`For the format of rule files, see ${cardctl('help', 'webhook-rules')}`

export interface RuleSurroundings {
  /** In [0, 1). */
  random(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** Beyond this number, rules that don't match are only counted. */
const MOST_NAMED = 10

/** How many calls a rule was the first to match, since its file was loaded. */
export interface RuleHits {
  readonly name: string
  readonly hits: number
}

export interface RuleDecider extends Decider {
  /** In the order of the file. */
  hits(): readonly RuleHits[]
}

/** The first rule that matches a call decides. If none does, the next decider is asked. */
export function decideBy(rules: readonly Rule[], {random, sleep}: RuleSurroundings): RuleDecider {
  const judge = createJudge(rules, random)
  const counts = new Map<Rule, number>()
  return {
    hits: () => rules.map(rule => ({name: rule.name, hits: counts.get(rule) ?? 0})),
    decide: async (request): Promise<Decision | undefined> => {
      const {call, at} = request
      const say = (said: string) => request.note({by: 'rules', said})
      const {rule, missed, doubt} = judge.judge(call, at)
      for (const {rule: name, why} of missed.slice(0, MOST_NAMED)) say(`${name}: ${why}`)
      if (missed.length > MOST_NAMED) say(`${missed.length - MOST_NAMED} more rules do not match`)
      if (!rule) return undefined
      counts.set(rule, (counts.get(rule) ?? 0) + 1)
      if (doubt !== undefined && rule.fallback) {
        const because = `${rule.name} cannot be evaluated because ${doubt}`
        say(`${because}: ${answerInWords(rule.fallback)}`)
        return {answer: rule.fallback, by: 'fallback', because}
      }
      const {answer, delay} = rule.action
      const wait = delay && Math.round(delay.min + random() * (delay.max - delay.min))
      const answered = answer?.(call)
      const what = answered ? answerInWords(answered.answer) : 'left to the next'
      const because = answered?.because === undefined ? '' : `, because ${answered.because}`
      say(`${rule.name}: ${what}${because}${wait === undefined ? '' : `, after ${wait} ms`}`)
      if (wait !== undefined) {
        await sleep(wait, request.signal).catch(() => {
          throw new DecisionFault('the deadline passed during the delay')
        })
      }
      return answered && {answer: answered.answer, by: byName(rule)}
    },
  }
}

const byName = ({name}: Rule): string => (/^rule \d+$/.test(name) ? name : `rule ${name}`)

/** A rule file was saved. */
export interface RulesReload {
  /** Whether its rules decide from now on; otherwise the old ones stay. */
  readonly ok: boolean
  /** A sentence without a full stop. */
  readonly message: string
  /** What is wrong or doubtful, and where: `rules.yaml:3:7: …`. */
  readonly issues: readonly string[]
}

export interface FollowOptions extends RuleSurroundings {
  onReload(reload: RulesReload): void
}

/** How often to look, in ms. Notifications get lost on network and container file systems. */
const EVERY = 250

/** How often to look again for a missing file: editors remove it for a moment. */
const PATIENCE = 4

/** Decides by rules, and reads them again when their file is saved. Counts start again then. */
export function followRules(loaded: LoadedRules, options: FollowOptions): RuleDecider {
  const {file} = loaded
  let current = decideBy(loaded.rules, options)
  let {version} = loaded
  let missing = 0
  const closing = new AbortController()

  async function look(): Promise<void> {
    const seen = await versionOf(file)
    missing = seen === '' ? missing + 1 : 0
    if (seen === version || (seen === '' && missing < PATIENCE)) return
    version = seen
    const reload = await read()
    if (!closing.signal.aborted) options.onReload(reload)
  }

  async function read(): Promise<RulesReload> {
    try {
      const {rules, warnings} = await loadRules(file)
      current = decideBy(rules, options)
      const count = `${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}`
      return {ok: true, message: `${count} from ${file}`, issues: warnings}
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const lines = error.details.data?.lines
      return {
        ok: false,
        message: error.message.replace(/\.$/, ''),
        issues: Array.isArray(lines) ? lines.map(String) : [],
      }
    }
  }

  const next = () => {
    if (!closing.signal.aborted) timer = setTimeout(() => look().then(next, next), EVERY).unref()
  }
  let timer: NodeJS.Timeout | undefined
  next()
  return {
    hits: () => current.hits(),
    decide: request => current.decide(request),
    close: () => {
      closing.abort()
      clearTimeout(timer)
    },
  }
}
