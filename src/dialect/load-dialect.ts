import {createHash} from 'node:crypto'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {readConfiguration} from '../files/open-own-file.ts'
import {LIMITS} from '../limits/limits.ts'
import {type Issue, inOrder, once, parseText, schemaProblems, unusableFile} from '../user-files/index.ts'
import {type CompiledDialect, compileDialect} from './compile-dialect.ts'
import {Dialect} from './dialect.ts'
import type {DialectFile, Report} from './dialect-file.ts'
import {validators} from './validators.gen.js'

const loadSchema = () => import('../../docs/dialect.schema.json', {with: {type: 'json'}})

/** Reads a dialect, and reports everything that is wrong with it, in order. For invalid YAML, only that. */
export async function readDialect(
  text: string,
): Promise<{readonly compiled?: CompiledDialect; readonly problems: readonly Issue[]}> {
  const {value, problems, at} = await parseText(text)
  if (problems.length > 0) return {problems}
  const {issues} = await schemaProblems(value, at, {
    validate: validators.dialect,
    loadSchema,
    forms: [
      [/GET\|POST/, 'a method and a path, such as GET /cards/{id}: plain segments, or a name in braces'],
      [/\^POST/, 'POST and a path without names, such as POST /authorisations'],
      [/\^GET/, 'GET and a path, such as GET /cards/{id}'],
      [/^\^\(\/\.\+\|query:/, 'a place for the key: header:NAME, query:NAME or a JSON pointer'],
      [/path:/, 'a place: a JSON pointer such as /card/id, path:NAME, query:NAME or header:NAME'],
      [/\^\(\/\.\*\)/, 'a JSON pointer such as /data'],
    ],
  })
  if (issues.length > 0) return {problems: inOrder(once(issues))}
  const found: Issue[] = []
  const file = value as DialectFile
  const report: Report = (pointer, message, what) => found.push({...at(pointer, what), message})
  const compiled = await compileDialect(file, report)
  if (file.webhook) {
    const {checkWebhook} = await import('./check-auth-calls.ts')
    checkWebhook(file.webhook.auth, file.values ?? {}, report)
  }
  return found.length > 0 ? {problems: inOrder(once(found))} : {compiled, problems: []}
}

/**
 * A dialect decides what commands send, so its file must belong to the user or to root.
 *
 * @throws Failure INPUT_INVALID with everything that is wrong in it, by line and column; CONFIG_UNREADABLE.
 */
export async function compiledDialect(
  file: string,
): Promise<{readonly compiled: CompiledDialect; readonly text: string}> {
  const text = textOf(file)
  const {compiled, problems} = await readDialect(text)
  if (compiled) return {compiled, text}
  throw unusableFile(file, problems, advice`For the format of dialects, see ${cardctl('help', 'dialects')}`)
}

/** @throws Failure INPUT_INVALID, CONFIG_UNREADABLE */
export async function loadDialect(file: string): Promise<Dialect> {
  const {compiled, text} = await compiledDialect(file)
  return new Dialect(compiled, createHash('sha256').update(text).digest('hex'))
}

function textOf(file: string): string {
  const unusable = (why: string): Failure =>
    new Failure('INPUT_INVALID', {message: `The dialect ${file} ${why}.`, effect: 'none'})
  const content = readConfiguration(file, LIMITS.rules.bytes)
  if (content === undefined) throw unusable('is not there')
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(content)
  } catch {
    throw unusable('is not UTF-8 text')
  }
}
