import {ASKED_OF_PAGES_OF_ENDPOINTS} from './pages-of-endpoints.ts'
import {ASKED_OF_PAGES_OF_SANDBOXES} from './pages-of-sandboxes.ts'
import {ASKED_OF_PAGES_OF_SCRIPTS} from './pages-of-scripts.ts'
import {ASKED_OF_PAGES_OF_SECURITY} from './pages-of-security.ts'
import {ASKED_OF_PAGES_OF_SET_UP} from './pages-of-set-up.ts'
import {ASKED_OF_PAGES_OF_USE} from './pages-of-use.ts'

/** What people ask whom a page helps, or the part of it below a heading (`#`), in words that it may not have. With commas between. */
export const ASKED_OF_PAGES: Readonly<Record<string, string>> = {
  ...ASKED_OF_PAGES_OF_SET_UP,
  ...ASKED_OF_PAGES_OF_USE,
  ...ASKED_OF_PAGES_OF_SCRIPTS,
  ...ASKED_OF_PAGES_OF_ENDPOINTS,
  ...ASKED_OF_PAGES_OF_SANDBOXES,
  ...ASKED_OF_PAGES_OF_SECURITY,
}
