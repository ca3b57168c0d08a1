import {ASKED_OF_PAGES_OF_CALLS} from './pages-of-calls.ts'
import {ASKED_OF_PAGES_OF_ENDPOINTS} from './pages-of-endpoints.ts'
import {ASKED_OF_PAGES_OF_JOBS} from './pages-of-jobs.ts'
import {ASKED_OF_PAGES_OF_OUTPUT} from './pages-of-output.ts'
import {ASKED_OF_PAGES_OF_PERMISSIONS} from './pages-of-permissions.ts'
import {ASKED_OF_PAGES_OF_PROFILES} from './pages-of-profiles.ts'
import {ASKED_OF_PAGES_OF_REQUESTS} from './pages-of-requests.ts'
import {ASKED_OF_PAGES_OF_SANDBOXES} from './pages-of-sandboxes.ts'
import {ASKED_OF_PAGES_OF_SECURITY} from './pages-of-security.ts'
import {ASKED_OF_PAGES_OF_SERVICES} from './pages-of-services.ts'
import {ASKED_OF_PAGES_OF_SET_UP} from './pages-of-set-up.ts'
import {ASKED_OF_PAGES_OF_SUPPORT} from './pages-of-support.ts'

/** What people ask whom a page helps, or the part of it below a heading (`#`), in words that it may not have. With commas between. */
export const ASKED_OF_PAGES: Readonly<Record<string, string>> = {
  ...ASKED_OF_PAGES_OF_SET_UP,
  ...ASKED_OF_PAGES_OF_PROFILES,
  ...ASKED_OF_PAGES_OF_PERMISSIONS,
  ...ASKED_OF_PAGES_OF_SERVICES,
  ...ASKED_OF_PAGES_OF_OUTPUT,
  ...ASKED_OF_PAGES_OF_SUPPORT,
  ...ASKED_OF_PAGES_OF_JOBS,
  ...ASKED_OF_PAGES_OF_REQUESTS,
  ...ASKED_OF_PAGES_OF_ENDPOINTS,
  ...ASKED_OF_PAGES_OF_CALLS,
  ...ASKED_OF_PAGES_OF_SANDBOXES,
  ...ASKED_OF_PAGES_OF_SECURITY,
}
