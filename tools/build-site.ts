// Makes a website from docs/: `npm run docs` writes it into .site/. Its pages need no server, so they open from the disk.
import process from 'node:process'
import {buildSite} from './site/build.ts'

const [, , folder = '.site'] = process.argv
const {pages, milliseconds} = await buildSite(folder)
process.stdout.write(
  `${pages} pages in ${folder}/ (${(milliseconds / 1000).toFixed(1)} s): open ${folder}/index.html\n`,
)
