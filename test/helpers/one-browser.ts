// A browser takes a second of processor time to start. So the tests of a run share one.
import {existsSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import type {BrowserServer, LaunchOptions} from 'playwright-core'
import type {TestProject} from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the address of a browser, which it starts when it is first asked. */
    browser: string
  }
}

/** Where Debian puts it. The shell has no windows, and takes a fifth of the processor time. */
export const CHROMIUM =
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(path => existsSync(path)) ?? ''

export const LAUNCH: LaunchOptions = {
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP rebound.example 127.0.0.1'],
}

/** Most runs of a single file need no browser: it starts when the first test asks for it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let browser: Promise<BrowserServer> | undefined
  const door = createServer(async (_, response) => {
    try {
      browser ??= launched()
      response.end((await browser).wsEndpoint())
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>(resolve => door.listen(0, '127.0.0.1', resolve))
  project.provide('browser', `http://127.0.0.1:${(door.address() as AddressInfo).port}`)
  return async () => {
    door.close()
    await (await browser)?.close()
  }
}

/** Loaded late: the package takes longer to load than many files take to run. */
async function launched(): Promise<BrowserServer> {
  const {chromium} = await import('playwright-core')
  return chromium.launchServer(LAUNCH)
}
