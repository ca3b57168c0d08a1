import {execFileSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {makeZip} from '../../tools/package/zip-file.ts'

const READ = `import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
  assert archive.testzip() is None
  for entry in archive.infolist(): print(entry.filename, entry.date_time, archive.read(entry).decode())`

test('a zip file is read by other programs, and has the same bytes whoever makes it', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'cardctl-zip-'))
  onTestFinished(() => rmSync(scratch, {recursive: true, force: true}))
  const make = (below: string, names: readonly string[], fast: boolean): string => {
    const folder = join(scratch, below, 'cardctl')
    mkdirSync(join(folder, 'ä b'), {recursive: true})
    for (const name of names) {
      writeFileSync(join(folder, name), name === 'empty' ? '' : name.repeat(3))
      utimesSync(join(folder, name), names.indexOf(name), names.indexOf(name))
    }
    return makeZip(folder, join(scratch, `${below}.zip`), {date: 1_790_000_000, fast})
  }
  const first = make('first', ['b', 'ä b/c', 'empty'], false)
  const second = make('second', ['empty', 'ä b/c', 'b'], false)
  expect(readFileSync(second).equals(readFileSync(first))).toBe(true)
  const time = '(2026, 9, 21, 14, 13, 20)'
  for (const archive of [first, make('fast', ['b', 'ä b/c', 'empty'], true)])
    expect(execFileSync('python3', ['-c', READ, archive], {encoding: 'utf8'})).toBe(
      `cardctl/b ${time} bbb\ncardctl/empty ${time} \ncardctl/ä b/c ${time} ${'ä b/c'.repeat(3)}\n`,
    )
})
