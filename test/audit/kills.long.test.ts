import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {runs} from '../helpers/whole.ts'
import {entryOf, NOON, room} from './fixtures.ts'

const fixture = fileURLToPath(new URL('append-loop.ts', import.meta.url))

async function output(
  child: ReturnType<typeof spawn>,
): Promise<{code: unknown; lines: string[]; stderr: string}> {
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', chunk => {
    stdout += chunk
  })
  child.stderr?.on('data', chunk => {
    stderr += chunk
  })
  const [code] = await once(child, 'close')
  return {code, lines: stdout.split('\n').slice(0, -1), stderr}
}

const loop = (file: string, ...args: string[]) => spawn(process.execPath, [fixture, file, ...args])

describe('many processes', () => {
  it('that append at the same time make one chain with every entry', async () => {
    using r = room()
    const children = await Promise.all(['a', 'b', 'c', 'd'].map(name => output(loop(r.file, name, '100'))))
    expect(children.map(({code, stderr}) => ({code, stderr}))).toEqual(
      children.map(() => ({code: 0, stderr: ''})),
    )
    const audit = r.open()
    expect(audit.verify()).toEqual({ok: true, lines: 400, fragments: 0, pruned: 0, unsealed: 0})
    expect([...audit.iterate()].map(({seq}) => seq)).toEqual(Array.from({length: 400}, (_, n) => n + 1))
  })

  it('that are killed lose no entry that they reported as written, and leave a valid chain', async () => {
    using r = room()
    const told: string[] = []
    for (let round = 0; round < 6; round++) {
      const children = ['a', 'b'].map(name => loop(r.file, `${name}${round}`, '1000000'))
      const done = children.map(output)
      let seen = 0
      for (const child of children) {
        child.stdout?.on('data', () => {
          if (++seen === 5 + round * 7) for (const one of children) one.kill('SIGKILL')
        })
      }
      for (const {lines} of await Promise.all(done)) told.push(...lines)
      const audit = r.open()
      expect(audit.verify().ok).toBe(true)
      const written = new Set([...audit.iterate()].map(({resources}) => resources?.[0]))
      for (const line of told) expect(written.has(line)).toBe(true)
      audit.close()
    }
  }, 60_000)
})

describe('an append that died half-way', () => {
  /** Makes the files as they are when a process dies with `cut` bytes of its append written, and its head not. */
  function torn(r: ReturnType<typeof room>, cut: (length: number) => number): {whole: boolean} {
    const first = r.open()
    first.append(entryOf('before'))
    first.close()
    copyFileSync(`${r.file}.head`, `${r.file}.kept`)
    const size = readFileSync(r.file).length
    const dying = r.open()
    dying.append([entryOf('dying 1'), entryOf('dying 2')])
    dying.close()
    const length = readFileSync(r.file).length - size
    const written = cut(length)
    truncateSync(r.file, size + written)
    copyFileSync(`${r.file}.kept`, `${r.file}.head`)
    rmSync(`${r.file}.kept`)
    return {whole: written === length || written === length - 1}
  }

  it('is closed by the next append, which says so, wherever it died', () => {
    fc.assert(
      fc.property(fc.double({min: 0, max: 1, noNaN: true}), part => {
        using r = room()
        const {whole} = torn(r, length => Math.round(part * length))
        const audit = r.open()
        expect(audit.verify().ok).toBe(true)
        audit.append(entryOf('after'))
        const {ok, fragments} = audit.verify()
        expect(ok).toBe(true)
        const kinds = [...audit.iterate()].map(({kind, resources}) => resources?.[0] ?? kind)
        expect(kinds.filter(kind => kind === 'repair')).toHaveLength(fragments)
        expect(kinds[0]).toBe('before')
        expect(kinds.at(-1)).toBe('after')
        if (whole) expect(kinds).toEqual(['before', 'dying 1', 'dying 2', 'unsealed', 'after'])
      }),
      {numRuns: runs(60)},
    )
  })

  it('may die again while it is being closed', () => {
    for (const cut of [1, 40, 400]) {
      using r = room()
      torn(r, () => 100)
      copyFileSync(`${r.file}.head`, `${r.file}.kept`)
      const size = readFileSync(r.file).length
      const second = r.open()
      second.ready()
      second.close()
      truncateSync(r.file, Math.min(size + cut, readFileSync(r.file).length))
      copyFileSync(`${r.file}.kept`, `${r.file}.head`)
      const audit = r.open()
      expect(audit.verify().ok).toBe(true)
      audit.append(entryOf('after'))
      expect(audit.verify().ok).toBe(true)
      expect([...audit.iterate()].map(({resources, kind}) => resources?.[0] ?? kind)).toContain('repair')
    }
  })

  it('is not forgiven when somebody changes the fragment later', () => {
    using r = room()
    torn(r, () => 100)
    const audit = r.open()
    audit.append(entryOf('after'))
    expect(audit.verify().ok).toBe(true)
    const [before = '', fragment = '', ...rest] = readFileSync(r.file, 'latin1').split('\n')
    const rewrite = (lines: string[]) => writeFileSync(r.file, lines.join('\n'), 'latin1')
    rewrite([before, fragment.replace('aino', 'arno'), ...rest])
    expect(audit.verify()).toMatchObject({ok: false, firstBroken: {line: 2}})
    rewrite([before, ...rest])
    expect(audit.verify()).toMatchObject({ok: false, firstBroken: {line: 2}})
    rewrite([before, fragment, fragment, ...rest])
    expect(audit.verify()).toMatchObject({ok: false, firstBroken: {line: 2}})
  })

  it('loses nothing when the head is lost with it, but is no longer sound', () => {
    using r = room()
    torn(r, () => 100)
    rmSync(`${r.file}.head`)
    const audit = r.open()
    expect(audit.verify().ok).toBe(false)
    audit.append(entryOf('after'))
    expect(audit.verify()).toMatchObject({ok: false, fragments: 1})
    expect([...audit.iterate()].map(({kind, resources}) => resources?.[0] ?? kind)).toEqual([
      'before',
      'repair',
      'gap',
      'after',
    ])
  })
})

describe('a prune that died before it recorded the head', () => {
  it('leaves a trail that goes on', () => {
    for (const old of [3, 1]) {
      using r = room()
      const first = r.open()
      for (const resource of ['1', '2', '3']) first.append(entryOf(resource))
      r.clock.at += 1_000
      first.append(entryOf('4'))
      first.close()
      copyFileSync(`${r.file}.head`, `${r.file}.kept`)
      const dying = r.open()
      dying.prune({
        before: old === 3 ? NOON + 1 : NOON + 5_000,
        osUser: 'a',
        auditUser: 'b',
        exportTo: join(r.folder, 'removed'),
      })
      dying.close()
      copyFileSync(`${r.file}.kept`, `${r.file}.head`)
      const audit = r.open()
      expect(audit.verify().ok).toBe(true)
      audit.append(entryOf('5'))
      expect(audit.verify().ok).toBe(true)
      expect([...audit.newest({limit: 1})][0]?.resources?.[0]).toBe('5')
    }
  })
})

describe.runIf(process.platform === 'linux')('a disk that fills', () => {
  it('writes no half line: the append fails, and the chain stays valid', async () => {
    using r = room()
    // At most 64 KiB per file; the lines are of 9 KiB.
    const child = spawn('bash', [
      '-c',
      'ulimit -f 64; exec "$@"',
      'bash',
      process.execPath,
      fixture,
      r.file,
      'f',
      '20',
      '9000',
    ])
    const {code, lines, stderr} = await output(child)
    expect(code).not.toBe(0)
    expect(stderr).toContain('CONFIG_UNREADABLE')
    const audit = r.open()
    expect(audit.verify()).toEqual({ok: true, lines: lines.length, fragments: 0, pruned: 0, unsealed: 0})
    expect(lines.length).toBeGreaterThan(3)
  })
})
