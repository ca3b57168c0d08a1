import type {Schemas} from '../shapes.ts'
import {likeness, strongIn} from './concepts.ts'
import type {DraftLine, DraftRule} from './draft-form.ts'
import {type Member, membersOf} from './members.ts'
import {type Relation, relate} from './relate.ts'

/** Two bodies whose members are compared. */
export interface Bodies {
  readonly own: Schemas
  readonly theirs: Schemas
  /** What both bodies are: `card`. Their names needn't say it again. */
  readonly about: ReadonlySet<string>
}

interface Candidate {
  readonly member: Member
  readonly score: number
  readonly relation: Relation
}

const ALIKE = 0.5

/** Where each member of ours is in theirs, as far as names, types and values tell. */
export function pairMembers(
  ours: readonly Member[],
  theirs: readonly Member[],
  bodies: Bodies,
): readonly DraftLine[] {
  const wanted = ours.filter(({kind}) => kind !== 'object')
  const candidates = new Map(wanted.map(one => [one, candidatesFor(one, theirs, bodies)]))
  const exact = (one: Member): readonly Candidate[] => {
    const same = (candidates.get(one) ?? []).filter(({score}) => score === 1)
    // What is also in an object about another resource is the same, farther away.
    const [first, second] = same
    return first && second && depth(first) < depth(second) ? [first] : same
  }
  const claims = (theirs: Member): number =>
    wanted.filter(one => exact(one).some(({member}) => member === theirs)).length
  const taken = new Set<Member>()
  const found = new Map<Member, {readonly candidate: Candidate; readonly isSure: boolean}>()
  for (const one of wanted) {
    const [only, another] = exact(one)
    if (only === undefined || another !== undefined || claims(only.member) > 1) continue
    found.set(one, {candidate: only, isSure: true})
    taken.add(only.member)
  }
  const rest = wanted
    .filter(one => !found.has(one))
    .flatMap(one => (candidates.get(one) ?? []).map(candidate => ({one, candidate})))
    .sort((a, b) => b.candidate.score - a.candidate.score)
  for (const {one, candidate} of rest) {
    if (found.has(one) || taken.has(candidate.member)) continue
    found.set(one, {candidate, isSure: false})
    taken.add(candidate.member)
  }
  const lines = wanted.map(one => lineOf(one, found.get(one), candidates.get(one) ?? []))
  return lines.map(line => withCurrency(line, lines))
}

function candidatesFor(one: Member, theirs: readonly Member[], bodies: Bodies): readonly Candidate[] {
  const lists = theirs.filter(({kind, pointer}) => kind === 'list' && pointer.lastIndexOf('/') === 0)
  // The items of a page, whatever the list is called.
  const isPage = (member: Member): boolean =>
    one.kind === 'list' && strongIn(one.words).size === 0 && lists.length === 1 && lists[0] === member
  return theirs
    .flatMap((member): Candidate[] => {
      const relation = relationOf(one, member, bodies)
      if (relation === undefined) return []
      const isEnd = relation.rule.as === 'last4' && !theirs.some(({words}) => words.has('masked'))
      const named = isPage(member) || isEnd ? 1 : likeness(one.words, member.words)
      const byValues = one.values.length > 1 && Object.keys(relation.rule.values ?? {}).length > 1 ? 0.6 : 0
      return [{member, relation, score: Math.max(named, byValues)}]
    })
    .filter(({score}) => score >= ALIKE)
    .sort((a, b) => b.score - a.score || depth(a) - depth(b))
}

const depth = ({member}: Candidate): number => member.pointer.split('/').length

function relationOf(one: Member, other: Member, bodies: Bodies): Relation | undefined {
  if (one.kind !== 'list') return relate(one, other, bodies.about)
  if (other.kind !== 'list') return undefined
  const about = new Set([...bodies.about, ...one.words, ...other.words])
  const [ours, theirs] = [
    membersOf(one.items, bodies.own, about),
    membersOf(other.items, bodies.theirs, about),
  ]
  if (ours.length === 0 || theirs.length === 0)
    return ours.length + theirs.length > 0
      ? undefined
      : {rule: {}, standing: 'unsure', why: 'a list', others: []}
  const items = pairMembers(ours, theirs, {...bodies, about})
  // What tells one item from another: without it, an amount would be of anything.
  const without = ours.filter(
    ({required, pointer, values, words}) =>
      required &&
      (values.length > 0 || words.has('id')) &&
      !items.some(line => line.ours === pointer && line.standing === 'sure'),
  )
  const names = without.map(({name}) => name).join(', ')
  return items.every(({at}) => at === undefined)
    ? undefined
    : {
        rule: {items},
        standing: without.length === 0 ? 'sure' : 'unsure',
        why: without.length === 0 ? 'a list of the same' : `a list, but which member is ${names} is not sure`,
        others: [],
      }
}

function lineOf(
  one: Member,
  found: {readonly candidate: Candidate; readonly isSure: boolean} | undefined,
  candidates: readonly Candidate[],
): DraftLine {
  const line = {ours: one.pointer}
  if (found === undefined)
    return {...line, rule: {}, standing: 'missing', why: 'nothing there seems to be it', others: []}
  const {member, relation, score} = found.candidate
  const rivals = candidates.filter(other => other.member !== member)
  const more = rivals.map(other => ({at: other.member.pointer, rule: other.relation.rule}))
  const others = [...relation.others.map(rule => ({at: member.pointer, rule})), ...more]
  const isSure = found.isSure && relation.standing === 'sure'
  const named = score === 1 ? 'the name says the same' : `${member.name} may be it`
  const equal = rivals.filter(other => other.score === 1).map(other => other.member.pointer)
  const doubt =
    score === 1 && !found.isSure
      ? `, and that of ${equal.slice(0, 4).join(', ') || 'another member of ours'}`
      : ''
  return {
    ...line,
    at: member.pointer,
    rule: relation.rule,
    standing: isSure ? 'sure' : 'unsure',
    why: `${named}${doubt}; ${relation.why}`,
    others,
  }
}

/** Minor units need the decimals: of the currency beside the amount, or else a guess. */
function withCurrency(line: DraftLine, lines: readonly DraftLine[]): DraftLine {
  const completed = (rule: DraftRule): DraftRule => {
    if (rule.as !== 'minor') return rule
    const beside = line.ours.replace(/[^/]*$/, 'currency')
    return lines.some(({ours, standing}) => ours === beside && standing === 'sure')
      ? {...rule, currency: 'currency'}
      : {...rule, exponent: 2}
  }
  const rule = completed(line.rule)
  const others = line.others.map(other => ({...other, rule: completed(other.rule)}))
  if (rule.exponent === undefined) return {...line, rule, others}
  const why = `${line.why}; its decimals are not known, 2 is a guess`
  return {...line, rule, others, standing: 'unsure', why}
}
