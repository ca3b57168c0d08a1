import {stemOf} from './terms.ts'

/** Words that mean nearly the same to people who ask, a group a line. What has the typed one comes first. */
const ALIKE = `
webhook endpoint handler
token credential password secret login
uninstall remove delete erase wipe clean clear purge
block freeze lock suspend disable stop
unblock unfreeze unlock reactivate enable
signature sign signed hmac
verify check validate prove
retry repeat resend again
duplicate twice double same
upgrade update newer newest latest
production live prod
address street house flat home
colleague coworker teammate person people somebody someone
second other another
answer response reply returns
record recording recorded store stored
replay again
call request
declined decline refused rejected denied refuse reject
speed fast rate pace quick throughput performance
slow late delay wait
resume continue
error fault failure fail problem wrong broken
sum amount value
folder directory path location
file files
postgres postgresql database
supervisor boss manager lead
report summary overview print
letter mail post envelope
phone mobile device smartphone handset watch
computer machine laptop host pc server
container docker podman kubernetes pod
price cost fee charge
purchase payment buy pay spend spending
money funds cash amount
transfer payment remittance
batch transfers
customer client cardholder holder owner caller
card plastic
show see view look display read
shown printed
change edit modify alter set adjust update
create make new generate produce add
list all every
find search look lookup locate
abort cancel end quit stop interrupt kill killed
begin start launch run
finish done complete end ready booked
until wait follow watch
time date day clock
seconds milliseconds timeout deadline limit
milliseconds ms
maximum most limit ceiling cap largest
minimum least smallest minimal
raise increase higher bigger more
lower decrease reduce less smaller cut
column field
row line record
header heading title
semicolon comma delimiter separator
decimal comma point digits
excel spreadsheet xlsx sheet
csv spreadsheet columns
mock fake simulate stub emulate pretend
test tests testing try
example sample demo first
load bench benchmark capacity throughput
python node javascript ruby command exec language script program
code program
pipeline ci job build
nightly night cron schedule scheduled timer
hide omit without
password rotation rotate
certificate tls ca
encrypt encrypted encryption cipher decrypt
masked mask hidden reveal
number pan
full whole complete entire
expire expires expired expiry validity valid
replacement renew renewed
mistake wrong accident accidentally error
undo revert rollback reverse
approve approval confirm accept authorise
permission permissions allow allowed rights right role
forbid forbidden deny prohibit restrict
policy rule rules
decision decide
purchase authorisation
partial part partly portion
hold reservation reserved
released release expire
fraud stolen theft
lost missing
abroad foreign country countries region regions
internet online e-commerce ecommerce
atm cash withdrawal usage
limit limits usage
wallet apple google pay tokenise
colour color colours colors
language locale
save keep store stored kept
backup copy export
restore import
compare difference differences diff differ
versions version release
contract schema openapi swagger spec specification
fields json members
team shared share several
several many multiple more
parallel concurrent concurrency simultaneously
local localhost machine
tunnel proxy access reach
port address listen
busy use
debug verbose trace details
headers header
format formats
person user
did done
yesterday today shift day
unknown unclear unsure
sent send submit
crash crashed killed interrupted died
blind accessibility accessible reader screen
ask asked asks question questions prompt confirmation confirm
yes confirm
unattended automatic automatically script
menu guided
variable variables environment
configuration config settings setting options preferences
default standard
vault keyring manager pass
oauth oauth2 client
compliance pci
log logs logging journal
audit trail
prove evidence tamper
person gdpr privacy personal
pin code
tries attempts
status state
id identifier
reference number
interest rate
cardholder customer
junit report
unit test
reversal reverse reversed
order sequence before after
arrives comes receives received get delivered
swallowed eaten ate kept retained
assistant agent ai llm
autocomplete completion tab
install setup
offline network connection internet
library package import sdk
`

/** How people shorten words. */
const SHORT: Readonly<Record<string, string>> = {
  cust: 'customer',
  custs: 'customers',
  acct: 'account',
  acc: 'account',
  auth: 'authorisation authorization',
  auths: 'authorisation',
  authz: 'authorisation',
  tx: 'transfer',
  txn: 'transaction',
  trx: 'transaction',
  config: 'configuration',
  conf: 'configuration',
  env: 'environment',
  vars: 'variables',
  dir: 'directory',
  pw: 'password',
  pwd: 'password',
  passwd: 'password',
  cert: 'certificate',
  certs: 'certificates',
  k8s: 'kubernetes',
  db: 'database',
  js: 'javascript',
  ts: 'typescript',
  req: 'request',
  resp: 'response',
  prod: 'production',
  docs: 'documentation',
  num: 'number',
  nr: 'number',
  amt: 'amount',
  exp: 'expiry',
  mgr: 'manager',
  pgsql: 'postgresql',
  pg: 'postgresql',
  repo: 'repository',
  secs: 'seconds',
  sec: 'seconds',
  ms: 'milliseconds',
  mins: 'minutes',
  max: 'maximum',
  min: 'minimum',
  info: 'information',
  msg: 'message',
  err: 'error',
  errs: 'errors',
  cmd: 'command',
  args: 'arguments',
  param: 'parameter',
  params: 'parameters',
  sig: 'signature',
  pics: 'picture',
  addr: 'address',
  tel: 'phone',
  cc: 'card',
  ids: 'id',
  perms: 'permissions',
  spec: 'specification',
  lang: 'language',
  vs: 'compare',
  ok: 'done',
  creds: 'credentials',
}

/** Several words that are one thing. */
const PHRASES: readonly (readonly [said: RegExp, meant: string])[] = [
  [/\b(?:(?:do|does|did|is|are|was|were|has|have|could|wo|would|should)n['’]?t|can['’]?t)\b/gi, 'not'],
  [/['’]s\b|['’]/g, ''],
  [/\bdid (?:it|this|that) (?:work|go through|succeed)\b|\bunknown outcome\b/gi, 'unknown effect'],
  [
    /\bdid (?:the|my|our) (?:transfer|payment|batch)(?:e?s)? (?:work|go through|succeed|arrive)\b/gi,
    'transfer not arrived',
  ],
  [
    /\b(?:not|never|nothing)(?: yet| even| ever| been)? (?:came|comes?|coming|arriv(?:e|es|ed|ing)|receiv(?:e|ed|ing)|got(?:ten)?|get|turn(?:ed)? up|show(?:n|ed)? up|delivered|reached)\b(?! (?:an?|any|the)? ?(?:response|answer|reply|token|result))/gi,
    'not-arrived',
  ],
  [/\b(?:api|access)[- ]?keys?\b/gi, 'token'],
  [/\b(?:go|goes|going) live\b/gi, 'production'],
  [/\bself[- ]signed\b/gi, 'self-signed'],
  [/\btoo many requests\b/gi, 'rate limit'],
  [/\bm-?tls\b/gi, 'client certificate'],
  [/\b(?:only read|read only|only look)\b/gi, 'read-only'],
  [/\btim(?:es?|ing|ed) out\b/gi, 'timeout'],
  [/\btoo (?:slow|late)\b/gi, 'late'],
  [/\bin the middle of\b/gi, 'during'],
  [/\bexit (?:code|status) (?=\d)/gi, 'exit '],
  [/\b(?:fail|error|answer|respond)s?(?: with)? 5\d\d\b/gi, 'fail error'],
  [/(?:\b(?:above|over|below|under|more than|up to) )?\b\d+ ?(?:euros?|eur|dollars?|usd)\b/gi, 'amount'],
  [
    /\b(?:above|below|over|under|more than|less than) \d+\b(?! ?(?:days?|hours?|rows?|lines?|times?))/gi,
    'amount',
  ],
  [
    /\b(?:(?:16|19|sixteen)[- ]digits?(?: numbers?)?|long (?:card )?number|digits)(?: on the (?:front|card|plastic))?(?: of (?:the|his|her|a) card)?\b/gi,
    'card number',
  ],
  [
    /\b(?:how long|(?:how many )?(?:milliseconds|seconds|ms))\b(?=.*\b(?:answer|reply|respond)\b)/gi,
    'deadline',
  ],
]

const synonyms = new Map<string, ReadonlySet<string>>()
for (const group of ALIKE.trim().split('\n'))
  for (const [at, word] of stemsOf(group).entries())
    synonyms.set(word, new Set([...(synonyms.get(word) ?? []), ...stemsOf(group).toSpliced(at, 1)]))
for (const [short, meant] of Object.entries(SHORT))
  synonyms.set(stemOf(short), new Set(stemsOf(meant).flatMap(word => [word, ...alike(word)])))

function stemsOf(words: string): readonly string[] {
  return [...new Set(words.trim().split(' ').map(stemOf))]
}

/** What means nearly the same as a stem. */
export function alike(stem: string): readonly string[] {
  return [...(synonyms.get(stem) ?? [])]
}

/** A question in the words that pages have. */
export const inWordsOfPages = (question: string): string =>
  PHRASES.reduce((text, [said, meant]) => text.replaceAll(said, meant), question)
