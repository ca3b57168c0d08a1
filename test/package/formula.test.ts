// No Homebrew runs here: its rules for formulas are read, https://docs.brew.sh/Formula-Cookbook and its audit of texts.
import {describe, expect, test} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}
import {homebrewFormula} from '../../tools/package/homebrew-formula.ts'

const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64']
const digests = Object.fromEntries(
  platforms.map((name, at) => [`cardctl-${pjson.version}-${name}.tar.gz`, `${at}`.repeat(64)]),
)

describe('the formula of Homebrew', () => {
  const formula = homebrewFormula(digests) ?? ''

  test('names each folder with its checksum, by system and processor', () => {
    const place =
      /on_(macos|linux) do|on_(arm|intel) do\n +url "https:\/\/\S+-((?:darwin|linux)-\w+)\.tar\.gz"\n +sha256 "(\d{64})"/g
    let system = ''
    const found = [...formula.matchAll(place)].flatMap(([, on, processor, platform, sha256 = '']) => {
      system = on ?? system
      return on === undefined ? [[system, processor, platform, sha256[0]]] : []
    })
    expect(found).toEqual([
      ['macos', 'arm', 'darwin-arm64', '0'],
      ['macos', 'intel', 'darwin-x64', '1'],
      ['linux', 'arm', 'linux-arm64', '2'],
      ['linux', 'intel', 'linux-x64', '3'],
    ])
  })

  test('keeps the rules of its texts, and closes each block', () => {
    const [, desc = ''] = /desc "(.*)"/.exec(formula) ?? []
    expect(desc).toMatch(/^[A-Z](?!.*\.$).{0,79}$/)
    expect(desc).not.toMatch(/^(?:An?|The|Cardctl)\b/)
    expect(formula).toMatch(
      /^class Cardctl < Formula\n {2}desc .*\n {2}homepage "https:.*\n {2}version .*\n {2}license "MIT"\n/,
    )
    expect(formula.match(/\bdo$|^class |^ +def /gm)).toHaveLength(formula.match(/^ *end$/gm)?.length ?? 0)
  })

  test('is not made without a folder for macOS', () => {
    expect(homebrewFormula({[`cardctl-${pjson.version}-linux-x64.tar.gz`]: '0'.repeat(64)})).toBeUndefined()
  })
})
