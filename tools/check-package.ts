// Packs the project, unpacks it in another folder and runs the binary there, without the sources.
import {mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import process from 'node:process'
import pjson from '../package.json' with {type: 'json'}
import {run} from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'cardctl-pack-'))
try {
  const packed = run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {quiet: true})
  if (packed.code !== 0) throw new Error(packed.output)
  const archive = readdirSync(folder).find(name => name.endsWith('.tgz'))
  if (!archive) throw new Error('npm pack made no archive.')
  run('tar', ['-xzf', join(folder, archive), '-C', folder])
  const root = join(folder, 'package')
  for (const name of Object.keys(pjson.dependencies)) {
    const path = join(root, 'node_modules', name)
    mkdirSync(dirname(path), {recursive: true})
    symlinkSync(join(process.cwd(), 'node_modules', name), path)
  }
  const env = {
    HOME: folder,
    XDG_CONFIG_HOME: '',
    XDG_DATA_HOME: '',
    XDG_CACHE_HOME: '',
    CARDCTL_PROFILE: 'sandbox',
  }
  const smoke = (args: string[], code: number, expected: RegExp): void => {
    const result = run(process.execPath, [join(root, 'bin/run.js'), ...args], {quiet: true, env})
    if (result.code !== code || !expected.test(result.output)) {
      throw new Error(`cardctl ${args.join(' ')} ended ${result.code} and printed:\n${result.output}`)
    }
  }
  smoke(['--version'], 0, /cardctl\/\d/)
  smoke(['cards', 'get', '3001', '-o', 'json'], 0, /"id": "3001"/)
  smoke(['cards', 'get', '9999'], 5, /NOT_FOUND/)
  smoke(['cards', 'nothing'], 2, /USAGE/)
  process.stdout.write('the packed binary runs\n')
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  rmSync(folder, {recursive: true, force: true})
}
