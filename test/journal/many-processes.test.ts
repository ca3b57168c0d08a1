import {once} from 'node:events'
import {join} from 'node:path'
import {describe, expect, it} from 'vitest'
import {journalFile, localKeyFile, openJournal, processSurroundings} from '../../src/journal/index.ts'
import {seeded} from '../helpers/random.ts'
import {service, start, temporaryFolder} from './fixtures.ts'

function openAt(folder: string) {
  return openJournal({
    ...processSurroundings(Date.now),
    file: journalFile(folder, service),
    service,
    profile: 'prod',
    key: () => localKeyFile(join(folder, 'journal.key')),
  })
}

async function output(
  child: ReturnType<typeof start>,
): Promise<{code: unknown; stdout: string; stderr: string}> {
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', chunk => {
    stdout += chunk
  })
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const [code] = await once(child, 'close')
  return {code, stdout, stderr}
}

describe('a journal of many processes', () => {
  it('keeps every request of 8 that write 200 each at once', async () => {
    using folder = temporaryFolder()
    const children = await Promise.all(
      Array.from({length: 8}, (_, n) => output(start('write-requests.ts', folder.path, '200', `p${n}`))),
    )
    expect(children.map(({code, stderr}) => ({code, stderr}))).toEqual(
      children.map(() => ({code: 0, stderr: ''})),
    )
    using journal = openAt(folder.path)
    expect(journal.requests.list({state: 'done'})).toHaveLength(1_600)
    expect(new Set(journal.requests.list().map(({id}) => id)).size).toBe(1_600)
    expect(journal.unfinished()).toEqual([])
    const one = journal.requests.findKey('p3-17')[0]
    expect(one && journal.requests.keptInput(one.id)).toEqual({
      path: {id: '17'},
      query: {},
      body: {segment: 'p3'},
    })
  }, 120_000)

  it('loses nothing of a killed process, and reports each unfinished request once', async () => {
    const random = seeded(20270104)
    for (let round = 0; round < 12; round++) {
      using folder = temporaryFolder()
      const child = start('write-requests.ts', folder.path, '100000', 'k')
      const linesBeforeKill = 1 + Math.floor(random() * 60)
      let seen = 0
      child.stdout.on('data', (chunk: Buffer) => {
        seen += chunk.toString().split('\n').length - 1
        if (seen >= linesBeforeKill) child.kill('SIGKILL')
      })
      const {stdout} = await output(child)
      const told = (word: string) =>
        stdout
          .split('\n')
          .slice(0, -1)
          .filter(line => line.startsWith(word))
          .map(line => line.slice(word.length + 1))

      using journal = openAt(folder.path)
      const records = new Map(journal.requests.list().map(record => [record.id, record]))
      for (const id of told('begun')) expect(records.has(id)).toBe(true)
      for (const id of told('ended')) expect(records.get(id)?.state).toBe('done')
      const open = [...records.values()].filter(({state}) => state !== 'done')
      expect(open.map(({state}) => state)).toEqual(open.map(() => 'unfinished'))
      expect(open.length).toBeLessThanOrEqual(1)
      expect(journal.unfinished().map(({id}) => id)).toEqual(open.map(({id}) => id))
      using again = openAt(folder.path)
      expect(again.unfinished()).toEqual([])
    }
  }, 120_000)
})
