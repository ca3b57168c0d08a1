import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

describe('colours', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a colour.
  const COLOUR = /\u001b\[/

  it.each([
    ['NO_COLOR', {NO_COLOR: '1'}, []],
    ['--no-color', {NO_COLOR: ''}, ['--no-color']],
    ['TERM=dumb', {NO_COLOR: '', TERM: 'dumb'}, []],
  ] as const)('stay away from a terminal with %s', async (_, env, flags) => {
    const {stdout, stderr} = await home.run(['cards', 'get', '3001', ...flags], {env, columns: 100})
    expect(stdout + stderr).not.toMatch(COLOUR)
  })

  it('are there on a terminal, and not on a pipe', async () => {
    const env = {NO_COLOR: '', TERM: 'xterm-256color', CARDCTL_PAGER: 'cat'}
    expect((await home.run(['cards', 'get', '3001'], {env, columns: 100})).stdout).toMatch(COLOUR)
    expect((await home.run(['cards', 'get', '3001'], {env})).stdout).not.toMatch(COLOUR)
    expect((await home.run(['cards', 'get', '3001', '-o', 'json'], {env, columns: 100})).stdout).not.toMatch(
      COLOUR,
    )
  })
})
