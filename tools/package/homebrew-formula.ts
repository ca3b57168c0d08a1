import pjson from '../../package.json' with {type: 'json'}
import {DOWNLOADS, HOMEPAGE} from './publisher.ts'

/** What Homebrew calls the systems and processors of the tarballs. */
const PLACES = [
  ['macos', 'arm', 'darwin-arm64'],
  ['macos', 'intel', 'darwin-x64'],
  ['linux', 'arm', 'linux-arm64'],
  ['linux', 'intel', 'linux-x64'],
] as const

/**
 * A formula of Homebrew that installs the folders with their own runtime: https://docs.brew.sh/Formula-Cookbook.
 *
 * @param digests SHA-256 of the files of the release, by name
 * @returns undefined if a folder for macOS is not among them
 */
export function homebrewFormula(digests: Readonly<Record<string, string>>): string | undefined {
  const made = PLACES.flatMap(([system, processor, platform]) => {
    const name = `cardctl-${pjson.version}-${platform}.tar.gz`
    const sha256 = digests[name]
    return sha256 === undefined ? [] : [{system, processor, name, sha256}]
  })
  if (!made.some(({system}) => system === 'macos')) return undefined
  const blocks = ['macos', 'linux'].flatMap(system => {
    const own = made.filter(each => each.system === system)
    const places = own.map(
      ({processor, name, sha256}) => `    on_${processor} do
      url "${DOWNLOADS}/${name}"
      sha256 "${sha256}"
    end
`,
    )
    return own.length === 0 ? [] : [`  on_${system} do\n${places.join('\n')}  end\n`]
  })
  return `class Cardctl < Formula
  desc "Administer a card issuing and payment service"
  homepage "${HOMEPAGE}"
  version "${pjson.version}"
  license "${pjson.license}"

${blocks.join('\n')}
  def install
    libexec.install Dir["*"]
    bin.install_symlink libexec/"cardctl"
    man1.install_symlink Dir[libexec/"man/*.1"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/cardctl --version")
  end
end
`
}
