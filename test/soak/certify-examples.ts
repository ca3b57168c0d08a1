// Ten certificates of each example endpoint whose language is installed, with a probe, without one, and with a probe and
// signatures: no false alarm. TIMES chooses another number.
import process from 'node:process'
import {
  exampleEndpoints,
  isInstalled,
  runEndpoint,
  SHORT,
  type ShownCertificate,
} from '../examples/certified-endpoints.ts'
import {openHome} from '../helpers/cli.ts'

const TIMES = Number(process.env.TIMES ?? 10)
const KEY = 'a key of this test'
const home = await openHome()
let faults = 0
try {
  for (const endpoint of exampleEndpoints) {
    if (!isInstalled(endpoint)) {
      process.stdout.write(`${endpoint.language}: ${endpoint.program} is not installed\n`)
      continue
    }
    for (let time = 1; time <= TIMES; time++)
      for (const how of ['with a probe', 'without a probe', 'signed, with a probe']) {
        const probes = how !== 'without a probe'
        const isSigned = how.startsWith('signed')
        const {url, flags, stop} = await runEndpoint(endpoint, isSigned ? KEY : undefined)
        const began = performance.now()
        try {
          // The first time by a process for each call, then by one for all.
          const mode = time === 1 ? [] : ['--probe-mode', 'long-running']
          const used = probes ? [...flags, ...mode] : flags.slice(2)
          const argv = [
            'webhook',
            'certify',
            '--to',
            url,
            ...SHORT,
            ...(isSigned
              ? ['--expects', 'signature', '--require', 'signature', '--auth', 'hmac:env:WEBHOOK_KEY']
              : ['--expects', 'none']),
            ...used,
            '-o',
            'json',
          ]
          const {code, stdout, stderr} = await home.run(argv, isSigned ? {env: {WEBHOOK_KEY: KEY}} : {})
          const {checks} = JSON.parse(stdout) as ShownCertificate
          const named = (wanted: string) => checks.filter(({state}) => state === wanted).map(({name}) => name)
          const failed = named('failed')
          // The percentile and old ids need 10,000 calls, and what holds for days 87 s.
          const isWhole = !probes || named('not checked').length <= 3
          if (code !== 0 || failed.length > 0 || !isWhole) faults++
          process.stdout.write(
            `${endpoint.language} ${time}, ${how}: ${named('passed').length} passed, ${failed.length} failed, not checked: ${named('not checked').length}, ${Math.round((performance.now() - began) / 1000)} s\n${failed.length > 0 ? `failed: ${failed.join(', ')}\n${stderr}` : ''}`,
          )
        } finally {
          await stop()
        }
      }
  }
} finally {
  await home.remove()
}
process.exitCode = faults > 0 ? 1 : 0
