import type {Mutation} from './mask-mutation-lines.ts'

const BENT = ['test/commands/bent-service.test.ts']

const turned = (file: string, from: string, to: string, tests: readonly string[] = BENT): Mutation => ({
  file,
  from,
  to,
  tests,
})

const CALLS = ['bent-calls', 'any-call', 'repeated-bent-calls'].map(name => `test/webhook/${name}.test.ts`)

/** What is taken from a service though the contract says otherwise, and what proves an effect. */
export const leniencies: readonly Mutation[] = [
  // Taken as it came.
  turned(
    'src/http/read-response.ts',
    'if (why !== undefined)',
    'if (why !== undefined || (await check(operation, status, value)).length > 0)',
  ),
  turned(
    'src/contract/validate.ts',
    'const isExpected = (success as readonly number[]).includes(status)',
    'const isExpected = true',
    ['test/contract/response.test.ts'],
  ),
  turned('src/contract/validate.ts', 'if (value === null) return true', '', [
    'test/contract/response.test.ts',
  ]),
  turned('src/contract/validate.ts', 'LONG_NUMBER.test(value)', 'false', ['test/contract/response.test.ts']),
  turned('src/http/read-response.ts', "typeof value === 'number' ||", 'false ||'),
  turned('src/http/read-response.ts', 'needs.length > 0 || bringsPart(body, shape.members)', 'false', [
    'test/http/prove-response.test.ts',
  ]),
  turned(
    'src/http/read-response.ts',
    "status === 204 && read.value === undefined && typeof shape === 'object' && 'items' in shape",
    'false',
  ),
  turned('src/cli/context.ts', 'if (!failed && (await this.isStrict()))', 'if (!failed)'),
  turned('src/cli/context.ts', 'if (!failed && (await this.isStrict()))', 'if (false)'),
  // What proves nothing.
  turned('src/http/read-response.ts', "if (effect === 'read') return 'it is empty'", ''),
  turned(
    'src/http/read-response.ts',
    'needs.length === 0 ? undefined : `it is empty, and',
    'true ? undefined : `it is empty, and',
  ),
  turned(
    'src/http/read-response.ts',
    "if (!Array.isArray(body)) return isObject(body) && holdsError(body) ? HOLDS_ERROR : 'it is no list'",
    'if (!Array.isArray(body)) return undefined',
  ),
  turned('src/http/read-response.ts', 'if (missing.length > 0)', 'if (false)'),
  turned(
    'src/http/holds-error.ts',
    'if (Object.keys(body).some(name => ERROR.test(name) && isFilled(own(name)))) return true',
    '',
  ),
  turned('src/http/holds-error.ts', 'if (saysNo(body, known)) return true', ''),
  turned(
    'src/http/holds-error.ts',
    "if (isRefusal(body.status) && [own('title'), own('detail')].some(isFilled)) return true",
    '',
    [...BENT, 'test/http/prove-response.test.ts'],
  ),
  turned(
    'src/http/read-response.ts',
    "const isProblem = /^\\s*application\\/problem\\+/i.test(headers['content-type'] ?? '')",
    'const isProblem = false',
  ),
  turned(
    'src/http/read-response.ts',
    "return {wrong: 'it is an HTML page, perhaps from a proxy or a login page'}",
    'return {value: {}}',
  ),
  turned('src/http/read-response.ts', 'return {wrong: body.why}', 'return {value: {}}'),
  // What becomes of it.
  turned(
    'src/http/retry-rules.ts',
    'return isOnce ? {...judged, again: undefined} : judged',
    'return {...judged, again: undefined}',
  ),
  turned(
    'src/http/retry-rules.ts',
    'return isOnce ? {...judged, again: undefined} : judged',
    'return judged',
  ),
  turned('src/cli/journalled.ts', 'if (body !== undefined) await context.printer.data(body)', ''),
  turned('src/http/failures.ts', 'filter(pointer => !needs.includes(pointer))', 'filter(() => true)', [
    'test/commands/odd-answers.test.ts',
  ]),
  turned(
    'src/cli/walk-pages.ts',
    "if (next !== undefined && asked.has(JSON.stringify(next))) throw endless('cursor')",
    '',
    ['test/cli/pages.test.ts'],
  ),
  turned('src/cli/walk-pages.ts', "if (items.length > 0 && content === before) throw endless('page')", '', [
    'test/cli/pages.test.ts',
  ]),
  turned('src/cli/walk-pages.ts', 'asked.size > 1 ? LATER : FIRST', 'FIRST', [
    'test/commands/odd-answers.test.ts',
  ]),
  turned('src/commands/bulk/shared/send.ts', 'if (isUnproven || (isPage', 'if ((isPage', [
    'test/commands/odd-answers.test.ts',
  ]),
  turned(
    'src/commands/bulk/shared/send.ts',
    "return {code: 'ANSWER_DIFFERS'",
    "return true ? {} : {code: 'ANSWER_DIFFERS'",
    ['test/commands/odd-answers.test.ts'],
  ),
  turned(
    'src/commands/a2a/shared/whole-batch.ts',
    "const FINAL = ['COMPLETED'",
    "const FINAL = ['PENDING', 'COMPLETED'",
    ['test/commands/odd-answers.test.ts'],
  ),
  // Calls that are taken, and what is in doubt about them.
  turned(
    'src/webhook/read-call.ts',
    'return strict ? {masked, refusal: unfit(differs)}',
    'return true ? {masked, refusal: unfit(differs)}',
    CALLS,
  ),
  turned(
    'src/webhook/read-call.ts',
    'return strict ? {masked, refusal: unfit(differs)}',
    'return false ? {masked, refusal: unfit(differs)}',
    CALLS,
  ),
  turned('src/webhook/read-call.ts', "id === 'webhook.warmUp' && !strict &&", 'false &&', CALLS),
  turned('src/webhook/read-call.ts', "text.startsWith('\\ufeff')", 'false', CALLS),
  turned(
    'src/webhook/listener.ts',
    'return id === undefined ? undefined : {id,',
    "return {id: id ?? '',",
    CALLS,
  ),
  turned('src/webhook/rules/judge.ts', 'doubt !== undefined && !rule.fallback', 'false', CALLS),
  turned(
    'src/webhook/rules/follow-rules.ts',
    'if (doubt !== undefined && rule.fallback)',
    'if (false)',
    CALLS,
  ),
  turned(
    'src/webhook/rules/compile-rules.ts',
    'const careful = letsPass(then)',
    'const careful = true as boolean',
    CALLS,
  ),
  turned(
    'src/webhook/rules/compile-rules.ts',
    'const careful = letsPass(then)',
    'const careful = false as boolean',
    CALLS,
  ),
  turned('src/webhook/rules/values.ts', 'let isDoubtful = lacking', 'let isDoubtful = false', CALLS),
  turned(
    'src/webhook/rules/values.ts',
    'if (isDoubtful && (careful || !holds))',
    'if (isDoubtful && !holds)',
    CALLS,
  ),
  turned(
    'src/webhook/rules/values.ts',
    'if (holds === undefined) return careful ? undefined : true',
    'if (holds === undefined) return undefined',
    ['test/webhook/rules/model.test.ts'],
  ),
  turned(
    'src/webhook/rules/values.ts',
    "String(value).padStart(4, '0') : undefined",
    'String(value) : undefined',
    CALLS,
  ),
  turned('src/webhook/rules/amounts.ts', "amount.text.startsWith('-')", 'false', CALLS),
  turned('src/webhook/rules/fields.ts', 'lacking ||= !mayBeAbsent', 'lacking ||= true', CALLS),
  turned(
    'src/webhook/rules/fields.ts',
    'found.length === 0 && isAboutMoney(call)',
    'found.length === 0',
    CALLS,
  ),
  turned(
    'src/webhook/rules/velocity.ts',
    'if (cardId === undefined) return undefined',
    'if (cardId === undefined) return false',
    CALLS,
  ),
  turned('src/webhook/rules/velocity.ts', '(read === undefined ? undefined : false)', 'false', CALLS),
  turned('src/webhook/rules/actions.ts', 'if (!amounts.every(isAsked))', 'if (false)', CALLS),
  turned('src/webhook/received-call.ts', 'hasRest ? magnitude + 1n : magnitude', 'magnitude', CALLS),
]
