import type {Prompter} from '../../../cli/question.ts'
import {type DraftDialect, type DraftLine, type DraftRequest, ruleText} from '../../../imported/index.ts'

/** The most guesses that one question offers. */
const MOST = 6
const LEAVE = 'leave'
const STOP = 'stop'
const ENDS = [
  {value: LEAVE, name: 'none of these: leave it as a comment'},
  {value: STOP, name: 'leave this and all others as comments'},
]

/** The draft with what a person has said of its guesses. The same guess is asked about once. */
export async function askDraft(
  draft: DraftDialect,
  prompter: Pick<Prompter, 'choose'>,
): Promise<DraftDialect> {
  const said = new Map<string, string>()
  let isOver = false
  const ask = async (key: string, question: string, choices: readonly string[]): Promise<number> => {
    const known = said.get(key)
    if (isOver && known === undefined) return -1
    const answer =
      known ??
      (await prompter.choose(question, [...choices.map((name, at) => ({value: String(at), name})), ...ENDS]))
    isOver ||= answer === STOP
    said.set(key, answer)
    return answer === LEAVE || answer === STOP ? -1 : Number(answer)
  }
  const line = async (about: string, one: DraftLine): Promise<DraftLine> => {
    const {at, ours, standing, why, others, rule} = one
    if (at === undefined) return one
    const inside = async (chosen: DraftLine): Promise<DraftLine> =>
      chosen.rule.items === undefined || chosen.rule.shape !== undefined
        ? chosen
        : {...chosen, rule: {...chosen.rule, items: await lines(`${about}, ${ours}`, chosen.rule.items)}}
    if (standing === 'sure') return inside(one)
    const guesses = [
      {at, rule},
      ...others.flatMap(other => (other.at === undefined ? [] : [{at: other.at, rule: other.rule}])),
    ].slice(0, MOST)
    const texts = guesses.map(guess => ruleText(guess.at, guess.rule))
    const chosen =
      guesses[await ask(JSON.stringify([about, ours, texts]), `${about}: where is ${ours}? (${why})`, texts)]
    return chosen === undefined ? one : inside({...one, ...chosen, standing: 'sure', why: 'chosen'})
  }
  const lines = async (about: string, all: readonly DraftLine[]): Promise<readonly DraftLine[]> => {
    const asked: DraftLine[] = []
    for (const one of all) asked.push(await line(about, one))
    return asked
  }
  const request = async (id: string, one: DraftRequest): Promise<DraftRequest> => {
    const isRight =
      one.standing === 'sure' ||
      (await ask(JSON.stringify([id, one.request]), `Is ${one.request} right for ${id}? (${one.why})`, [
        'yes',
      ])) === 0
    if (!isRight) return one
    const input = await lines(one.request, one.input)
    const output = await lines(
      `The response to ${one.request}`,
      one.output.filter(({rule}) => rule.shape === undefined),
    )
    const whole = one.output.filter(({rule}) => rule.shape !== undefined)
    return {
      ...one,
      standing: 'sure',
      why: one.standing === 'sure' ? one.why : 'chosen',
      input,
      output: [...whole, ...output],
    }
  }
  const operations: DraftDialect['operations'][number][] = []
  const shapes = new Map(draft.shapes)
  for (const {id, requests} of draft.operations) {
    const asked: DraftRequest[] = []
    for (const one of requests) asked.push(await request(id, one))
    operations.push({id, requests: asked})
    const used = asked
      .filter(({standing}) => standing === 'sure')
      .flatMap(({output}) => output.flatMap(({rule}) => rule.shape ?? []))
    for (const name of used) shapes.set(name, await lines(name, shapes.get(name) ?? []))
  }
  return {...draft, operations, shapes}
}
