/** Names that say what logged in, not who. The service's log of a live system must name a person. */
const impersonal = new Set(
  (
    'admin administrator anonymous app application automation bot build builder card cardctl ci circleci cron ' +
    'daemon default demo deploy deployer deployment dev developer devops docker ec2-user github gitlab guest ' +
    'jenkins job live me nobody node none nologin null operator ops pipeline postgres prod production robot root ' +
    'runner sandbox script server service shared somebody someone staging su sudo superuser support svc sys ' +
    'sysadmin system team teamcity temp test tester tmp travis ubuntu undefined unknown user username vagrant web ' +
    'webmaster www www-data'
  ).split(' '),
)

/** Forms such as ci-prod, gitlab-runner, svc_cards, deploy-bot, uid-1000. */
const impersonalForms = [
  /^(ci|svc|srv|service|bot|app|job|sys|uid|runner|system|robot)[-_.\d]/,
  /[-_.](ci|bot|runner|svc|service|agent|robot|job|admin|system)\d*$/,
]

/** What is wrong with an audit user on any profile: the service takes free text of a sensible length. */
export function auditUserProblem(name: string): string | undefined {
  if (name.trim() === '') return 'is empty'
  if (name.length > 100) return 'has more than 100 characters'
  if (/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}/u.test(name)) return 'holds control characters'
  return undefined
}

/**
 * Whether a name can be one person's. What stands around the name of an account is left out: `CORP\root`,
 * `root@host.example`, `Root`.
 */
export function isPersonal(name: string): boolean {
  const account = name
    .trim()
    .toLowerCase()
    .replace(/^.*[\\/]/, '')
    .replace(/@.*$/, '')
    .trim()
  if (!/\p{L}/u.test(account) || impersonal.has(account)) return false
  return !impersonalForms.some(form => form.test(account))
}
