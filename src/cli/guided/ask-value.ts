import {countryOf} from '../../contract/countries.ts'
import {operations} from '../../contract/operations.gen.ts'
import type {OperationId} from '../../contract/types.ts'
import {Failure} from '../../errors/failure.ts'
import {DECIMALS, type DecimalSigns, readingsOf, unmistakable} from '../../money/decimal-sign.ts'
import {countryWords} from '../../output/country-name.ts'
import type {Context} from '../context.ts'
import type {SearchChoice} from '../list-questions.ts'
import {type Definition, type Given, labelOf} from '../needs.ts'
import type {Prompter} from '../question.ts'
import {localClock} from '../typed-date.ts'
import {askReading, isOpen, readAs} from '../typed-numbers.ts'
import {type Answer, flagWords} from './answered-line.ts'
import {askForParts, partsOf} from './ask-parts.ts'
import {askSecretPlace, secretFormOf} from './ask-secret-place.ts'
import {type BodyField, bodyFields, fieldWords, itemFields, valuesOfField} from './body-fields.ts'
import {checkBodyFile, checkField, checkFile, checkParameter, isAnswer, saidBy} from './check-answer.ts'
import type {AskedCommand, Suggestion} from './guide.ts'
import {suggestIds} from './suggest-ids.ts'

/** A field of the body among the names of values. */
const FIELD = '-F '
export const fieldName = (path: string): string => `${FIELD}${path}`

/** Longer lists are searched. */
const MOST_CHOICES = 8

interface AskerSettings {
  readonly context: Context
  readonly command: AskedCommand
  readonly prompter: Prompter
  readonly suggests: boolean
}

/** What may be left out, by Enter. */
const OPTIONAL = ' (Enter to leave it out)'

/** Asks for the values of one command. Arguments are named as in the code, flags `--name`, fields of the body `-F path`. */
export class Asker {
  readonly context: Context
  readonly command: AskedCommand
  readonly prompter: Prompter
  /** Whether ids are suggested. A person who only forgot one types it. */
  readonly #suggests: boolean

  constructor({context, command, prompter, suggests}: AskerSettings) {
    this.context = context
    this.command = command
    this.prompter = prompter
    this.#suggests = suggests
  }

  /** Asks for one of these values, or for several of them. */
  async oneOf(names: readonly string[], given: Given, several = false): Promise<Answer> {
    const [only = ''] = names
    if (several) {
      const fields = (await this.fields(given)).map(({path}) => fieldName(path))
      return this.several('What do you want to change?', [...names, ...fields], given, {required: true})
    }
    if (names.length === 1) return this.value(only, given)
    const choices = names.map(name => ({value: name, name: this.label(name)}))
    return this.value(await this.prompter.choose('Which of these do you have?', choices), given)
  }

  /** Lets a person choose among values, then asks for each. */
  async several(
    message: string,
    names: readonly string[],
    given: Given,
    {required = false} = {},
  ): Promise<Answer> {
    const details = new Map(
      (await this.fields(given)).map(({path, fits}) => [fieldName(path), `${path}: ${fits}`]),
    )
    const choices = names.map(name => {
      const description = details.get(name)
      return {value: name, name: this.label(name), ...(description !== undefined && {description})}
    })
    const check = (chosen: readonly string[]) => this.conflictIn(chosen, one => this.label(one)) ?? true
    const chosen = await this.prompter.several(message, choices, {required, check})
    const answers: Answer[] = []
    for (const name of chosen) answers.push(await this.value(name, given, !required))
    return {
      args: answers.flatMap(({args = []}) => args),
      flags: answers.flatMap(({flags = []}) => flags),
    }
  }

  /** @param optional whether an empty answer leaves it out */
  async value(name: string, given: Given, optional = false): Promise<Answer> {
    const definition = this.definition(name)
    if (definition.type === 'boolean') return {flags: [await this.#switch(name, definition)]}
    if (name.startsWith(FIELD)) return {flags: await this.#field(name.slice(FIELD.length), given, optional)}
    if (name === '--data') return {flags: ['--data', `@${await this.#bodyFile(name, given)}`]}
    const texts: string[] = []
    do {
      const text = await this.#text(name, definition, given, optional)
      if (text !== '') texts.push(text)
    } while (definition.multiple && (await this.prompter.yes('Another one?')))
    return name.startsWith('--') ? {flags: texts.flatMap(text => flagWords(name, text))} : {args: texts}
  }

  /** The flags that set a field of the body; of a list one item after another. */
  async #field(path: string, given: Given, optional: boolean): Promise<readonly string[]> {
    const id = this.operation(given)
    const parts = id === undefined ? undefined : await itemFields(id, path)
    if (parts === undefined) {
      const text = await this.#text(`${FIELD}${path}`, {}, given, optional)
      return text === '' ? [] : ['-F', `${path}=${text}`]
    }
    const isNested = path.includes('[')
    if (optional && isNested && !(await this.prompter.yes(`${fieldWords(path)}: give it?`))) return []
    const flags: string[] = []
    for (let at = 0; at === 0 || (await this.prompter.yes(`${fieldWords(path)}: another one?`)); at++) {
      for (const {name, required} of parts)
        flags.push(...(await this.#field(`${path}[${at}]${name}`, given, !required)))
    }
    return flags
  }

  /** The name of a file with the body. What is in it is never shown, as some fields must not be typed. */
  #bodyFile(name: string, given: Given): Promise<string> {
    return this.prompter.text(this.label(name), async path => {
      if (path === '') return 'Enter a value.'
      return checkBodyFile(this.operation(given), path, this.context.surroundings)
    })
  }

  /** The operation that the line sends, as far as that is certain. */
  operation(given: Given): OperationId | undefined {
    const {guide, claims} = this.command
    if (guide.operation) return guide.operation(given)
    const lasting = claims.filter(id => !operations[id].deprecated)
    return lasting.length === 1 ? lasting[0] : claims.length === 1 ? claims[0] : undefined
  }

  /** The fields of the body that no flag of the command sets. */
  async fields(given: Given): Promise<readonly BodyField[]> {
    const id = this.operation(given)
    if (id === undefined || !('field' in this.command.flags)) return []
    const own = Object.values(this.command.guide.fields ?? {})
    const isFlag = (path: string) => path.replace(/Ms$/, '') in this.command.flags
    return (await bodyFields(id)).filter(({path}) => !own.includes(path) && !isFlag(path))
  }

  label(name: string): string {
    if (name.startsWith(FIELD)) return fieldWords(name.slice(FIELD.length))
    const {labels = {}} = this.command.guide
    // Whether there is another value is asked for after each.
    return labels[name] ?? labelOf(name, this.command).replace(/\. Repeatable$/, '')
  }

  definition(name: string): Definition {
    const {args, flags} = this.command
    return (name.startsWith('--') ? flags[name.slice(2)] : args[name]) ?? {}
  }

  /** Why these flags can't be used together. */
  conflictIn(names: readonly string[], named = (name: string) => name): string | undefined {
    for (const name of names) {
      const {exclusive = []} = this.definition(name)
      const other = exclusive.map(each => `--${String(each)}`).find(each => names.includes(each))
      if (other !== undefined) return `${named(name)} cannot be used with ${named(other)}.`
    }
    return undefined
  }

  async #switch(name: string, {allowNo}: Definition): Promise<string> {
    if (!allowNo) return name
    const no = `--no-${name.slice(2)}`
    return this.prompter.choose(this.label(name), [
      {value: name, name: 'Yes'},
      {value: no, name: 'No'},
    ])
  }

  /** What is wrong with a value that was typed on the line, apart from how a number is written. */
  async problemOf(name: string, given: Given, text: string): Promise<true | string> {
    const problem = (one: string) => this.#problem(name, {}, given, one)
    const unfit = await problem(text)
    return unfit !== true && (await hasFittingReadings(text, problem)) ? true : unfit
  }

  /** Checks the parts of a value that was typed on the line, apart from how an amount is written. @throws Failure */
  async refuseParts(name: string, given: Given, text: string): Promise<void> {
    const check = this.command.guide.partChecks?.[name]
    const parts = partsOf(this.definition(name)) ?? []
    const signs = await this.#signs(given)
    const texts = text.split(':')
    const answers = Object.fromEntries(parts.map((part, at) => [part.name, texts[at] ?? '']))
    for (const part of parts) {
      const value = answers[part.name] ?? ''
      if (value === '' || isOpen(value, signs)) continue
      const problem = await saidBy(() => check?.(part.name, answers, signs))
      if (problem !== true)
        throw new Failure('USAGE', {message: `${name}, ${part.name}: ${problem}`, effect: 'none'})
    }
  }

  async #text(name: string, definition: Definition, given: Given, optional: boolean): Promise<string> {
    const {prompter} = this
    const label = this.label(name)
    const secretForm = secretFormOf(definition)
    if (secretForm !== undefined)
      return askSecretPlace(prompter, titleOf(name, label), {form: secretForm, optional})
    const choices = await this.#choices(name, definition, given)
    const message = optional ? `${label}${OPTIONAL}` : label
    const problem = async (text: string) => this.#problem(name, definition, given, text)
    const isCountry = /country$/i.test(this.#fieldOf(name) ?? '')
    const check = async (text: string) => {
      if ((optional && text === '') || (isCountry && countryOf(text) !== undefined)) return true
      const unfit = await problem(text)
      return unfit !== true && (await hasFittingReadings(text, problem)) ? true : unfit
    }
    /** The answer, of two numbers that it may mean the one that a person chose. */
    const settled = async (text: string) => {
      const country = isCountry ? countryOf(text) : undefined
      if (country !== undefined) {
        this.context.printer.note(`${text.trim()} is ${countryWords(country)}.`)
        return country
      }
      if ((optional && text === '') || (await problem(text)) === true) return text
      const chosen = await askReading(prompter, text)
      const currency = given.get('--currency')
      this.context.printer.note(readAs(text, chosen, currency === undefined ? undefined : String(currency)))
      return chosen
    }
    if (choices.length > 0) return this.#chooseInGroups(name, label, choices, optional)
    const parts = partsOf(definition)
    if (parts) {
      const signs = await this.#signs(given)
      return askForParts({...this, signs}, label, parts, this.command.guide.partChecks?.[name])
    }
    const isOffered = this.#suggests || this.command.guide.suggests?.[name] !== undefined
    const suggestions = isOffered ? await suggestIds(this.context, this.command, name, given) : []
    return settled(
      suggestions.length > 0
        ? await this.#search(label, suggestions, check)
        : await prompter.text(message, check),
    )
  }

  /** The values that fit; none if only a person knows. */
  async #choices(name: string, {options}: Definition, given: Given): Promise<readonly string[]> {
    const {choices = {}} = this.command.guide
    const own = choices[name]
    const known =
      options ??
      (typeof own === 'function' ? await own(await this.context.service.dialect()) : own) ??
      enumeratedIn(this.label(name))
    if (known) return known
    const id = this.operation(given)
    const path = this.#fieldOf(name)
    return id === undefined || path === undefined || path.startsWith('path:') ? [] : valuesOfField(id, path)
  }

  async #chooseInGroups(
    name: string,
    label: string,
    values: readonly string[],
    optional: boolean,
  ): Promise<string> {
    const message = titleOf(name, label)
    const group = this.command.guide.grouped?.[name]
    const inGroup = group === undefined ? [] : values.filter(value => group.has(value))
    if (group === undefined || inGroup.length < 2) return this.#choose(message, values, optional)
    const first = `${group.name}: asked next`
    const chosen = await this.#choose(
      message,
      [...values.filter(value => !inGroup.includes(value)), first],
      optional,
    )
    return chosen === first ? this.#choose(group.asks, inGroup, false) : chosen
  }

  #choose(message: string, values: readonly string[], optional: boolean): Promise<string> {
    const none = optional ? [{value: '', name: 'Leave it out'}] : []
    const choices = [...values.map(value => ({value, name: value})), ...none]
    if (choices.length <= MOST_CHOICES) return this.prompter.choose(message, choices)
    return this.prompter.search(message, typed =>
      choices.filter(({value}) => value.toLowerCase().includes((typed ?? '').toLowerCase())),
    )
  }

  /** Suggestions to choose from, before them what was typed. */
  #search(
    message: string,
    suggestions: readonly Suggestion[],
    check: (text: string) => Promise<true | string>,
  ): Promise<string> {
    const width = Math.max(...suggestions.map(({value}) => value.length)) + 2
    const choices = suggestions.map(
      ({value, from, title}): SearchChoice => ({
        value,
        name: title ?? `${value.padEnd(width)}${from}`.trimEnd(),
      }),
    )
    const find = (typed?: string): readonly SearchChoice[] => {
      if (typed === undefined) return choices
      const fitting = choices.filter(
        choice => 'value' in choice && choice.value.includes(typed) && choice.value !== typed,
      )
      return [{value: typed, name: typed}, ...fitting]
    }
    return this.prompter.search(message, find, {check, typing: 'type any other'})
  }

  async #signs(given: Given): Promise<DecimalSigns> {
    const decimal = DECIMALS.find(sign => sign === given.get('--decimal'))
    try {
      return decimal === undefined ? {usual: await this.context.service.usualDecimal()} : {decimal}
    } catch (error) {
      // What is wrong with the profile is said once it is used.
      if (error instanceof Failure) return {}
      throw error
    }
  }

  #fieldOf(name: string): string | undefined {
    return name.startsWith(FIELD) ? name.slice(FIELD.length) : this.command.guide.fields?.[name]
  }

  /** Checks an answer as the command will: by its parser and by the contract, while it can still be corrected. */
  async #problem(name: string, definition: Definition, given: Given, answer: string): Promise<true | string> {
    const unfit = isAnswer(answer)
    if (unfit !== true) return unfit
    const parse = () => definition.parse?.(answer, {}, {...definition, name: name.replace(/^--/, '')})
    const signs = /\d[.,\s]/.test(answer) ? await this.#signs(given) : {}
    let value = answer
    const unread = await saidBy(async () => {
      const parsed = await parse()
      if (typeof parsed === 'string') value = parsed
      await this.command.guide.checks?.[name]?.(answer, signs)
    })
    if (unread !== true) return unread
    if (name === '--from' && String(definition.helpValue).startsWith('FILE'))
      return answer === '-' || checkFile(answer, this.context.surroundings)
    const path = this.#fieldOf(name)
    const parameter = path === undefined ? name : /^path:(.*)/.exec(path)?.[1]
    const like = parameter === undefined ? undefined : this.command.guide.likeOperation
    const id = this.operation(given) ?? like
    if (id === undefined) return true
    return parameter === undefined
      ? checkField(id, path ?? '', value, signs, localClock(this.context.surroundings))
      : checkParameter(id, parameter, value, await this.context.service.dialect().catch(() => undefined))
  }
}

/** Whether a text can be read as a number in another way than plainly, and each reading is fine. */
async function hasFittingReadings(
  text: string,
  problem: (text: string) => Promise<true | string>,
): Promise<boolean> {
  const readings = readingsOf(text)
  const problems = await Promise.all(readings.map(reading => problem(unmistakable(reading))))
  return readings.length > 0 && problems.every(one => one === true)
}

/** The values of a description that is nothing but a list of them: "Shell: bash, zsh, fish or powershell". */
function enumeratedIn(label: string): readonly string[] | undefined {
  const words = /^(?:[A-Z]\w+: )?([\w-]+(?:, [\w-]+)+(?: or [\w-]+)?)$/.exec(label)?.[1]
  return words?.split(/, | or /)
}

/** What to ask for above a list, which says what the description enumerates. */
function titleOf(name: string, label: string): string {
  const [title = label] = label.split(':', 1)
  const word = name.replace(/^--/, '')
  return enumeratedIn(title) === undefined ? title : `${word[0]?.toUpperCase()}${word.slice(1)}`
}
