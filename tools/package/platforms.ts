import runtimes from '../../bin/runtimes.json' with {type: 'json'}

/** The npm packages that carry what depends on the platform: the runtime, and the library of the keyring. */
interface PlatformPackages {
  readonly runtime: string
  readonly keyring: string
}

/** Those whose runtime has a checksum in tools/runtime-checksums.json. */
export const PLATFORMS = {
  'linux-x64': {runtime: runtimes['linux-x64'], keyring: '@napi-rs/keyring-linux-x64-gnu'},
  'linux-arm64': {runtime: runtimes['linux-arm64'], keyring: '@napi-rs/keyring-linux-arm64-gnu'},
  'darwin-arm64': {runtime: runtimes['darwin-arm64'], keyring: '@napi-rs/keyring-darwin-arm64'},
  'darwin-x64': {runtime: runtimes['darwin-x64'], keyring: '@napi-rs/keyring-darwin-x64'},
  'win32-x64': {runtime: runtimes['win32-x64'], keyring: '@napi-rs/keyring-win32-x64-msvc'},
} satisfies Readonly<Record<string, PlatformPackages>>

export type Platform = keyof typeof PLATFORMS

/** What Debian calls the processors. */
export const DEBIAN_NAMES: Readonly<Partial<Record<Platform, string>>> = {
  'linux-x64': 'amd64',
  'linux-arm64': 'arm64',
}

export const isPlatform = (name: string): name is Platform => Object.hasOwn(PLATFORMS, name)

export const runtimeName = (platform: Platform): string => (platform === 'win32-x64' ? 'node.exe' : 'node')
