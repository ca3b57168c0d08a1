import {mkdtemp, rename, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {followRules, loadRules, type RulesReload} from '../../../src/webhook/rules/index.ts'
import {callOf, requestFor} from '../calls.ts'

async function following(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'cardctl-rules-'))
  const file = join(folder, 'rules.yaml')
  await writeFile(file, text)
  const reloads: RulesReload[] = []
  const decider = followRules(await loadRules(file), {
    random: () => 0,
    sleep: async () => {},
    onReload: reload => reloads.push(reload),
  })
  onTestFinished(async () => {
    decider.close?.()
    await rm(folder, {recursive: true})
  })
  const code = async () => {
    const decision = await decider.decide(requestFor(callOf('chip', 'a')))
    return decision?.answer.kind === 'reply'
      ? decision.answer.reply.transactionData.authResponseCode.code
      : undefined
  }
  const reloaded = async (count: number) => {
    await expect.poll(() => reloads.length).toBe(count)
    return reloads[count - 1]
  }
  return {file, code, reloaded, reloads, hits: decider.hits}
}

test('saved rules decide from then on; a bad file keeps the old ones and says what is wrong and where', async () => {
  const {file, code, reloaded} = await following('rules: [{then: {decline: 51}}]')
  expect(await code()).toBe('51')
  await writeFile(file, 'rules: [{then: {decline: 62}}]')
  expect(await reloaded(1)).toEqual({ok: true, message: `1 rule from ${file}`, issues: []})
  expect(await code()).toBe('62')
  await writeFile(file, 'rules: [{thn: approve}]')
  expect(await reloaded(2)).toMatchObject({
    ok: false,
    issues: [`${file}:1:9: rules[0].then is missing`, expect.stringContaining(`${file}:1:10: thn is not`)],
  })
  expect(await code()).toBe('62')
  // Editors write another file and put it in the old one's place.
  await writeFile(`${file}.new`, 'rules: []')
  await rename(`${file}.new`, file)
  expect(await reloaded(3)).toMatchObject({ok: true, message: `0 rules from ${file}`})
  expect(await code()).toBeUndefined()
})

test('counts which rule decides, until the file is saved', async () => {
  const {file, code, reloaded, hits} = await following(
    'rules: [{name: a, when: {first: 1}, then: approve}, {name: b, then: {decline: 51}}, {name: c, then: approve}]',
  )
  for (let count = 0; count < 3; count++) await code()
  expect(hits()).toEqual([
    {name: 'a', hits: 1},
    {name: 'b', hits: 2},
    {name: 'c', hits: 0},
  ])
  await writeFile(file, 'rules: [{name: d, then: approve}]')
  await reloaded(1)
  expect(hits()).toEqual([{name: 'd', hits: 0}])
})

test('a file that is missing for a moment is awaited; one that is gone is reported', async () => {
  const {file, code, reloaded, reloads} = await following('rules: [{then: {decline: 51}}]')
  await rename(file, `${file}~`)
  await writeFile(file, 'rules: [{then: {decline: 05}}, {then: approve}]'.replace('05', '"05"'))
  expect(await reloaded(1)).toMatchObject({ok: true})
  await rm(file)
  expect(await reloaded(2)).toMatchObject({ok: false, message: `${file} cannot be read: it does not exist`})
  expect(await code()).toBe('05')
  expect(reloads).toHaveLength(2)
})
