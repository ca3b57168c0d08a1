import {execFileSync} from 'node:child_process'

/** The mirror of Debian that this machine's apt uses. */
export function debianMirror(): string {
  const list = execFileSync('apt-get', ['indextargets', '--format', '$(SITE)'], {encoding: 'utf8'})
  const found = list.split('\n').find(site => /\/debian\/?$/.test(site))
  if (found === undefined) throw new Error('apt knows no mirror of Debian.')
  return found
}
