import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {describe, expect, it} from 'vitest'
import {childEnvironment} from '../../src/children/child-environment.ts'
import type {StartPager} from '../../src/output/index.ts'
import {pagerCommand, startPager} from '../../src/output/pager.ts'
import {Kept, setUp} from './streams.ts'

describe('the pager', () => {
  const long = Array.from({length: 50}, (_, n) => ({id: String(n)}))
  const spy = (code = 0) => {
    const shown: {command: string; text: string}[] = []
    const startPager: StartPager = command => {
      const stdin = new Kept()
      return {
        stdin,
        stop: () => undefined,
        ended: new Promise(resolve =>
          stdin.on('finish', () => {
            shown.push({command, text: stdin.text})
            resolve({code, by: null})
          }),
        ),
      }
    }
    return {shown, startPager}
  }

  it('gets output that is longer than the screen', async () => {
    const {shown, startPager} = spy()
    const {printer, stdout} = setUp({}, {terminal: true, startPager})
    await printer.data(long)
    await printer.data(long.slice(0, 3))
    expect(shown).toHaveLength(1)
    expect(shown[0]?.command).toBe('less -FRX')
    expect(shown[0]?.text).toContain('49')
    expect(stdout.text).not.toContain('49')
  })

  it('may leave its prompt behind: what follows begins on a line of its own', async () => {
    const stdout = new Kept({columns: 40, rows: 20})
    const {printer} = setUp({}, {startPager: spy().startPager, stdout})
    await printer.data(long)
    expect(stdout.text).toBe(`${' '.repeat(39)}\r\u001b[K`)
  })

  it('that was stopped by Ctrl-C is followed by no notes, but by warnings', async () => {
    const stopped = new AbortController()
    const {startPager} = spy()
    const stop: StartPager = (...parameters) => {
      stopped.abort('SIGINT')
      return startPager(...parameters)
    }
    for (const signal of [undefined, stopped.signal]) {
      const {printer, stderr} = setUp({}, {terminal: true, startPager: stop, ...(signal && {signal})})
      await printer.data(long)
      printer.note('What you can do next')
      printer.warn('Careful')
      expect(stderr.text.includes('What you can do next')).toBe(signal === undefined)
      expect(stderr.text).toContain('Careful')
    }
  })

  it('is not for a terminal that does not know its height', async () => {
    const {shown, startPager} = spy()
    const stdout = new Kept({rows: 0})
    const {printer} = setUp({}, {startPager, stdout})
    await printer.data(long)
    expect(shown).toEqual([])
    expect(stdout.text).toContain('49')
  })

  it.each([
    [{CARDCTL_PAGER: 'most', PAGER: 'more'}, ['most']],
    [{PAGER: 'more'}, ['more']],
    [{PAGER: 'cat'}, []],
    [{CARDCTL_PAGER: '', PAGER: 'more'}, []],
    [{TERM: 'dumb', PAGER: 'more'}, []],
  ])('is the one that %j names', async (env, commands) => {
    const {shown, startPager} = spy()
    const {printer} = setUp({}, {terminal: true, startPager, env})
    await printer.data(long)
    expect(shown.map(({command}) => command)).toEqual(commands)
  })

  it('is only one that is named on Windows, which has no less', () => {
    expect(pagerCommand({}, 'win32')).toBeUndefined()
    expect(pagerCommand({PAGER: 'more'}, 'win32')).toBe('more')
  })

  it('never gets what was revealed, and nothing where no terminal is', async () => {
    const {shown, startPager} = spy()
    const {printer, stdout} = setUp({}, {terminal: true, startPager})
    await printer.data(long, undefined, {sensitive: true})
    expect(stdout.text).toContain('49')
    await setUp({}, {startPager}).printer.data(long)
    expect(shown).toEqual([])
  })

  it('starts no program and writes no file for what is typed into it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pager-'))
    const file = join(folder, 'env')
    const pager = await startPager(`env > ${file}`, childEnvironment({PATH: process.env.PATH}, []))
    pager.stdin.end()
    await pager.ended
    expect(await readFile(file, 'utf8')).toMatch(/^LESSSECURE=1$/m)
    await rm(folder, {recursive: true})
  })

  it('that cannot be started leaves the text on the screen', async () => {
    const {startPager} = spy(127)
    const {printer, stdout} = setUp({}, {terminal: true, startPager})
    await printer.data(long)
    expect(stdout.text).toContain('49')
  })
})
