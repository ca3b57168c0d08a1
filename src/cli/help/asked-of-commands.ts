/** What people say who need a command or a topic of help, in words that it doesn't have itself. With commas between. */
export const ASKED_OF_COMMANDS: Readonly<Record<string, string>> = {
  'a2a create': `
    send money, move money, transfer between accounts, pay many, transfers from a file, salary file,
    payments from a spreadsheet, pay out, upload payments, columns of the transfer file, give money back,
    book transfers, pay a customer, refund a customer, goodwill payment, transfer with a text,
    many transfers at once, payroll, transfers in euro and dollars, csv of transfers,
    wrong currency in a transfer, transfer to another account, text on the statement,
    message to the recipient, reference text of a transfer`,
  'a2a get': `
    transfers of a batch, what is in a batch, which transfers failed, did the transfer arrive,
    to whom did money go, money never arrived, transfer did not arrive, recipient got nothing,
    where is the money, where is a transfer, why did a transfer fail, failed transfers of a batch,
    did everything go through, receipt of a batch`,
  'a2a list': `
    batches, list transfers, batches of last week, transfers of yesterday, all batches, list batches,
    transfer batches, transfers of week, batches week, batches of today, when did I send transfers,
    find a batch`,
  'a2a plan': `
    prepare transfers, look at transfers first, check a transfer file before sending,
    transfers to approve later`,
  'a2a status': 'progress of a batch, is the batch done, batch status, is it booked',
  'a2a watch': `
    wait for a batch, wait until transfers are booked, follow a batch, poll a batch,
    how long until transfers are done, tell me when it is done`,
  'accounts block': `
    block an account, stop a card, lost card, stolen card, freeze a card, block a customer, card misused,
    fraud, block the card now, customer reports theft, wallet was stolen, handbag stolen,
    suspicious payments, stop all payments, block until tomorrow, temporary block, card swallowed`,
  'accounts close': `
    close an account, end an account, customer left, customer wants to leave, terminate an account,
    close account for good, customer died, cancel the contract, closed for good, end of contract,
    delete an account`,
  'accounts limit': `
    credit limit, raise limit, lower limit, more credit, set limit of an account, raise credit limit,
    higher credit limit, increase credit limit, raise the credit limit of an account, overdraft, more money,
    increase credit, decrease credit, credit line, set back the limit`,
  'accounts patch': `
    change an account, change fields of an account, new address, name of an account, ATM limit,
    daily limit of an account, usage limits, cash limit, invoice by email, direct debit, interest,
    email of an account, phone number of a customer, address of a customer, change of address,
    customer moved, new surname, married, switch to email invoices, cash withdrawal limit,
    spending limit per day, weekly limit, limit abroad, parent account, billing day`,
  'accounts reminder': 'reminder date, dunning, payment reminder, put off a reminder, late invoice',
  'accounts unblock': `
    unblock an account, card found again, was blocked by mistake, release a block, reactivate,
    open a blocked account, unblock the customer, found the card again, lift the block, remove a block`,
  'accounts update-property': 'update one property',
  api: `
    raw call, path of the service, send any request, GET a path, like curl, unsupported endpoint,
    no command, endpoint without command, operation without command, raw request, custom request,
    request with own headers, add a header, extra header, call an endpoint that has no command,
    endpoint without a command, call a url of the service, do a GET, post json, unsupported operation`,
  apply: 'send a plan, apply a plan, execute a plan',
  'audit anchor': 'anchor, proof of the audit trail, notarise, keep a hash elsewhere',
  'audit begin': 'new audit trail, start the audit trail again, broken audit trail',
  'audit export': 'export audit, audit to a log collector, SIEM',
  'audit key': 'key of the audit trail, move audit key, seal key, sign audit trail',
  'audit list': `
    who did what, audit log, who saw a PIN, who revealed a number, actions of a user, disclosures,
    who showed pin, who saw pin, who looked, who viewed, showed pin, revealed, who revealed,
    who revealed a card number, who logged in, what did the agent do, entries of yesterday`,
  'audit prune': 'old audit entries, shrink the audit trail',
  'audit verify': `
    log tampered, check audit trail, chain broken, integrity of the log, tampered, audit tampered,
    prove audit unchanged, has somebody changed the log, is the log complete`,
  'bulk cancel': `
    cancel a job, stop a job, abort a bulk run, never send the rest, stop a running job for good`,
  'bulk export': 'move a job to another machine',
  'bulk import': 'take over a job from another machine',
  'bulk list': 'list jobs, my jobs, old jobs',
  'bulk plan': `
    preview of a bulk run, what would change, dry run for a file, look before a mass update, see before run,
    job change before run, preview of a job, check a file before sending, diff before applying`,
  'bulk prune': 'delete old jobs',
  'bulk resolve': 'row of a shared job with unknown effect',
  'bulk results': `
    results of rows, which rows failed, failed rows to a file, responses of rows, failed rows, rows failed,
    export failed rows, list failed rows, errors of a job, export failures, what went wrong in a job`,
  'bulk resume': `
    continue a job, carry on, resume, go on after a stop, finish the rest, job was interrupted,
    stopped halfway, resume bulk, resume job, resume run, carry on bulk, continue bulk, continue job,
    bulk stopped halfway, run stopped halfway, job interrupted resume, bulk run stopped carry on,
    resume an interrupted job, power failure during a job, killed job, continue where it stopped`,
  'bulk run': `
    many rows, run a file, same operation for many, mass update, rows of a csv file,
    change hundreds of accounts, stop after errors, update many accounts, loop over a file,
    thousands of requests, stdin to bulk, xargs, parallel requests, for each line of a file`,
  'bulk status': 'progress of a job, how far is the job, is my job still running, percent done',
  'bulk watch': 'follow a job, watch a bulk run',
  'bulk work': 'work on a shared job, several workers, second machine on the same job',
  'cards control-token': `
    control token, token to show card data in a browser, token for a page with the card number,
    token valid 30 seconds`,
  'cards get': `
    card status, is the card blocked, is the card active, card details, look up a card, card by number,
    name on the card, when does a card expire, expiry date of a card, what is left of the limit,
    remaining limit of a card, how much can the customer spend today, account of a card,
    which account has this card, whose card is this, customer of a card, is a PIN set, card has a PIN,
    wrong PIN tries of a card, where was the card sent, delivery address of a card,
    why was the card declined, payment declined abroad, card does not work, card refused in a shop,
    main or supplementary card, reference number of a card, is the card blocked for a region,
    account belongs to a card, when does the card run out, has the card a PIN, card info,
    what limits has a card, can this card be used abroad, why can the customer not pay, card was declined,
    is this card still valid, is the card closed, name of the cardholder, whose card,
    did the customer get the card, contactless, card is refused, payment did not work, purchase declined,
    region blocked, cash withdrawal declined`,
  'cards list': `
    cards of a customer, cards of an account, how many cards, all cards, list cards,
    customer number to cards, active cards of a customer, which cards, customer has several cards,
    find cards by customer, cards of a company, cards of a family, card id of a customer,
    forgot the card number, only the last digits, list of cards by account, how many cards has a customer,
    closed cards too, which cards are still active, active cards`,
  'cards payment-info': `
    full card number, whole card number, show number of a card, CVV, CVC, security code,
    expiry date and CVV, card data for an app, show all digits, CVV of a card, CVC of a card, CVV2,
    security code of a card`,
  'cards plastics': `
    plastic, when was the card produced, was a new card made, renewal of a card, next card,
    replacement ordered, card sent in the mail, old and new plastic, plastic id, damaged card,
    when comes the new card, new card next month, card expires soon, card lost in the mail,
    new card did not come, card not received, chip broken, card worn, expiry of the plastic`,
  completion: 'completion script',
  'completion install': `
    tab completion, autocomplete, zsh completion, bash completion, fish, powershell, press tab,
    shell completion, complete commands`,
  'completion uninstall': 'remove tab completion',
  'contract check': `
    does the service match, compare service with contract, conformance of the service, fields that differ`,
  'contract diff': 'compare two versions of an api, breaking changes, what changed in the openapi document',
  'contract export': `
    openapi document of the built-in contract, download the api spec, postman, openapi yaml,
    generate a client`,
  'contract import': `
    import openapi, commands from a swagger file, add an operation of my service, own endpoints as commands,
    our own api, generate commands, import swagger`,
  'contract list': 'imported documents',
  'contract map': 'words of the service, other names for statuses',
  'contract remove': 'remove imported commands',
  'contract show': `
    describe an operation, fields of a request, schema of an endpoint, which fields can I send,
    what fields has a request, example of a request, documentation of an endpoint`,
  'data erase': `
    erase a person, right to be forgotten, delete what is kept about a customer, gdpr request, erase person,
    erase data person, forget a customer, customer wants to be forgotten, delete personal data`,
  'data export': `
    backup, move to another computer, copy the journal, take data to a new machine, new computer,
    back up my data, disk replaced`,
  'data import': 'restore a backup, take data over from an old computer',
  'data keys': 'key of this machine, trust another machine',
  'data remove': `
    remove all data, delete everything on this machine, clean this computer, leave nothing behind, wipe,
    remove all traces, clean up a laptop, give back a computer, leave the company`,
  'data where': `
    which files, where are files, location of the journal, data folder, disk space, what is kept,
    where is the config file, where are the logs, which folder, how much disk space`,
  doctor: `
    nothing works, check the set-up, diagnose, test connection, is everything right, cannot connect,
    connection problem, network problem, something is slow, cannot reach the service, is my set-up right,
    connection test, check certificates`,
  find: `
    find by id, what is this number, unknown id, search by reference, find a batch, find a request,
    search a customer, customer reads out a number, number on the letter, which thing has this id,
    paste an id`,
  'gate serve': 'server that sends for others, gate, credentials of another user',
  'help environment': `
    environment variables, proxy variable, NO_COLOR, HTTPS_PROXY, HTTP_PROXY, NO_PROXY, CARDCTL_TOKEN,
    script hangs, never ask, list of variables, disable colours, never prompt`,
  'help exit-codes': `
    exit codes, exit status, return code, exit 4, exit 9, exit 11, status code of the program`,
  'help flags': `
    global flags, timeout, dry run, debug, verbose, quiet, yes, no questions, non-interactive,
    see the request, http headers, curl command, print the request, flags of every command, raw request,
    see what is sent, show request and response, trace http, verbose output, print the http request,
    dry-run, set the timeout, timeout of a request, longer timeout, which flags are everywhere,
    log http traffic, increase timeout, assume yes, non-interactive mode, show the curl`,
  'help formatting': 'columns, csv, output formats, query, choose columns, csv output',
  'help idempotency': 'retry, idempotency',
  'help sensitive-data': 'secret on the command line, shell history',
  history: `
    who changed a card, who changed an account, what happened to a card, what was done with an account,
    what did a colleague do, changes of a customer, past changes, history of a customer, log of a card,
    who looked card, looked card number, looked card, who saw card, what did a colleague do with an account,
    what did somebody do with a card, who touched a card, who did this, timeline of a card,
    audit of one account, who blocked this account, when was the limit changed,
    what happened with this customer, old limit before a change, what was the limit before`,
  'mappings list': 'column mappings, saved mapping of a spreadsheet',
  mcp: 'tools for an assistant, model context protocol server, AI, connect an assistant, tools for a model',
  'pin set': `
    set a PIN, change PIN, new PIN, choose a PIN, customer forgot PIN, first PIN, PIN never arrived,
    PIN letter not received, wrong PIN chosen`,
  'pin tzpk': 'key to encrypt a PIN, PIN encryption key, tzpk',
  'pin unblock': `
    PIN blocked, too many wrong PIN tries, reset PIN tries, PIN locked, unlock PIN, PIN tries left,
    PIN wrong three times, PIN is blocked, atm says PIN blocked`,
  'pin view': `
    show PIN, see PIN, tell the customer the PIN, read PIN, what is the PIN, PIN reminder,
    customer wants to know the PIN, remind the PIN, PIN letter lost`,
  'pincontrol create': 'control id, what is a control id, id for a PIN operation',
  'plan show': 'look into a plan, content of a plan, what does the plan change',
  'policy check': 'is my policy right, syntax of the policy',
  'policy show': 'which policy applies',
  'policy test': 'would the policy allow this, why did the policy refuse, may I do this, would it be allowed',
  'pricelists delete': 'remove a price list',
  'pricelists patch': 'rename a price list, code of a price list',
  'pricelists period delete': 'cancel a planned price change',
  'pricelists period patch': `
    change a price, change a fee, interest rate, new price from a date, value of a period,
    lower rate for a customer`,
  'profiles add': `
    new profile, connect to a service, add credentials, set up a service, oauth, basic auth, bearer token,
    api key, connect to production, set up access, add staging, client certificate, second environment`,
  'profiles edit': `
    change a profile, new secret, new password, change the base url, change token, set read-only,
    change base url, change profile, new base url, change url, token expired, password changed,
    change timeout, change the certificate, set a quota, make a profile read-only`,
  'profiles list': 'which profiles, list environments',
  'profiles remove': 'delete a profile, remove credentials',
  'profiles show': 'settings of a profile',
  'profiles test': `
    test credentials, does the login work, is the token right, is the service reachable, password right,
    token right, credentials right, service up, service reachable, check password, does login work,
    401 unauthorised, is my password wrong, test my token`,
  'profiles use': `
    default profile, switch profile, choose an environment, set default profile, switch environment,
    use staging by default`,
  'remotecheckout delete': 'remove from click to pay, delete enrolment, end remote checkout',
  'remotecheckout enroll': `
    enrol for click to pay, register a card for remote checkout, add a card to click to pay`,
  'remotecheckout get': 'is the customer enrolled, cards in click to pay, show enrolment',
  'remotecheckout status': 'trace id, outcome of an enrolment, did enrolment work',
  'remotecheckout traces': 'open enrolments, traces',
  'remotecheckout update': `
    change email of an enrolled customer, change phone of an enrolled customer, update click to pay,
    deactivate click to pay, new card expiry in checkout`,
  'report batch': `
    report of a batch, receipt of transfers, proof of payments, confirmation for an auditor,
    evidence of a batch, page about a batch for the customer`,
  'report shift': `
    report of my day, what did I do today, list of my work, hand over to a colleague, end of day,
    summary for my manager, print what I did, daily report, today, did today, done today,
    what happened today, my day, yesterday, end of shift, statistics of the day, what is still open,
    summary of the week`,
  'requests approve': `
    approve a request, confirm what a colleague asks, approval of a change, give approval, approve proposal,
    approve proposal colleague, waiting for approval, my change waits`,
  'requests list': `
    sent requests, my last requests, open requests, list what was sent, failed requests,
    outcome unknown list, what did I send, see earlier commands, my requests of today,
    requests with a ticket, which requests failed`,
  'requests pace': `
    pause asked by the service, current rate, too many requests 429, why does it wait, 429,
    server answers 429, rate limited, throttled`,
  'requests proposals': `
    what waits for approval, pending approvals, proposals of colleagues, change waits for someone,
    what is waiting`,
  'requests prune': 'delete old requests, shrink the journal',
  'requests rebind': 'service has moved, new base url for old requests, host changed',
  'requests reject': 'reject a proposal, withdraw a proposal, decline a proposal',
  'requests resolve': `
    did it arrive, unknown outcome, exit 10 what now, was it sent or not, connection lost while sending,
    did the change happen, effect unknown, transfer go through, went through,
    do not know whether it went through, network went away while saving, it hung and I pressed ctrl-c,
    was the request carried out`,
  'requests retry': 'send again, repeat a request, retry a failed request',
  'requests show': `
    what exactly was sent, body of a request, details of a request, response of an earlier request,
    show the body that was sent, what did I change exactly`,
  'requests sign': 'sign a proposal, approve from another machine',
  'requests undo': `
    undo, take back a change, wrong change, changed by mistake, I made a mistake, revert, wrong limit set,
    back to the old value, cancel a change, cancel what I did, what I just did, take it back,
    it was the wrong one, undo the last change, I typed a wrong amount, go back, restore the old limit,
    reverse my change`,
  'sandbox authorizations clear': 'clear a purchase, post a clearing, book a hold, capture',
  'sandbox authorizations list': 'purchases in the sandbox, list authorisations, holds',
  'sandbox authorizations reverse': `
    reverse a purchase, cancel an authorisation, release a hold, give back a hold`,
  'sandbox authorizations show': 'one authorisation',
  'sandbox authorize': `
    make a purchase, simulate a payment, test a purchase, pay with a card in the sandbox, test transaction,
    simulate a card payment, chip purchase, contactless payment, online payment,
    atm withdrawal in the sandbox`,
  'sandbox clock advance': `
    move the clock, jump a month, time travel, let a card expire, fake time, next day, expire a card,
    wait a day, let a hold expire, next month, skip time`,
  'sandbox clock show': 'time of the sandbox',
  'sandbox faults add': `
    simulate an error, simulate an outage, slow answers, error 500, timeout in the sandbox,
    drop connections, fault injection, chaos, make it fail, sandbox fail, sandbox error, make sandbox fail,
    make sandbox error, sandbox 500, sandbox fail 500, sandbox timeout, simulate timeout, simulate error,
    simulate failure, service simulate timeout, sandbox slow, fail next request, network error, return 503,
    slow response, test my retry, connection reset, lose a response, rate limit in the sandbox`,
  'sandbox faults clear': 'no more faults, remove faults',
  'sandbox faults list': 'which faults are active',
  'sandbox info': 'what does the sandbox simulate, what is missing in the sandbox',
  'sandbox reset': `
    start over, demo data back, clean sandbox, empty sandbox, reset test data, sandbox original state,
    original state, sandbox from scratch, sandbox start over, clear sandbox, restore demo data,
    start from zero, data is messed up`,
  'sandbox serve': `
    start the sandbox, sandbox on a port, mock server, fake server, local api server, docker sandbox,
    sandbox as http server, integration test server, mock http api, listen on another port, sandbox in CI`,
  'sandbox snapshot fork': 'copy of a sandbox',
  'sandbox snapshot load': `
    restore the state, load a fixture, go back to a state, load test data, same state for each test`,
  'sandbox snapshot save': 'save the state, fixture, keep test data, save the state of the sandbox',
  'sandbox state list': `
    test cards, which demo cards, ids in the sandbox, which cards exist in the sandbox, example cards,
    ids to try`,
  'sandbox state set': `
    block a test card, change test data, balance of a test account, set up test data, make a card expired,
    set a balance, create test data, test card without money, many test cards`,
  'sandbox state show': 'balance, all fields of a test card',
  'sandbox store migrate': 'tables in postgres, database schema upgrade',
  'sandbox store size': 'how big is the database',
  'sandbox tenants add': 'own data for each team, add a team',
  'sandbox tokens add': 'token for a colleague, access to a shared sandbox',
  'sandbox tokens rotate': 'rotate a token, token leaked',
  schema: `
    json schema, types of results, fields of the json output, typescript types of the output,
    validate json output, jsonschema`,
  tour: 'try it, demo, what can it do, first look',
  upgrade: 'new version, how to upgrade, is there a newer version, update cardctl',
  'wallets provision': `
    apple pay, google pay, add card to phone, mobile wallet, push provisioning, wallet data`,
  'webhook bench': `
    load test, how fast is my endpoint, calls per second, performance, stress test, latency, stress,
    requests per second of my server, how fast must I be, percentile`,
  'webhook certify': `
    is my endpoint ready, certificate for an endpoint, go live with my endpoint,
    all that an endpoint must do, out of order calls, prove that my endpoint works, before production,
    acceptance test, conformance test`,
  'webhook contract': `
    fields of an authorisation call, response codes, what must I answer, code 51, code 05,
    merchant category, example payload, schema of the webhook, list of response codes,
    what does code 05 mean, fields of the request, json of the call, merchant category code,
    mandatory fields of an answer, required fields, what must be in the answer`,
  'webhook events export': 'export calls, calls to a file, calls as a file, archive calls',
  'webhook events list': `
    recorded calls, latest calls, show calls, filter calls, see the latest authorisations,
    which calls were declined, find a call`,
  'webhook events prune': 'delete recorded calls, how long are recordings kept',
  'webhook events show': `
    one call in detail, why was a call declined, payload of a call, why did the rule decline,
    full request of a call, whole call with headers`,
  'webhook link': `
    open the inspector, link to the page, url of the inspector, url of the inspector page,
    open the page again`,
  'webhook replay': `
    replay calls, send recorded calls again, compare decisions, regression test of my endpoint,
    new version of my endpoint against old calls, replay recorded event, replay webhook event, replay event,
    replay call, send recorded call again, test new code with old calls, send yesterday's calls again,
    differences between two versions`,
  'webhook rules check': `
    check a rule file, what do my rules decide, mistake in rules, test my rules, syntax of rules,
    which rule matches`,
  'webhook scenarios': 'kinds of test calls, list scenarios',
  'webhook serve': `
    answer authorisation calls, start the webhook, listen for calls, local endpoint, receive webhooks,
    run the webhook, local webhook server, receive authorisations, listen for events, webhook on https,
    use a port`,
  'webhook test': `
    test suite for my endpoint, check my endpoint in CI, junit, expected answers,
    regression tests for my endpoint, run a suite, test report, endpoint test in a pipeline`,
  'webhook trigger': `
    send a test call, call my endpoint once, try my endpoint, simulate a purchase at my endpoint,
    send test authorisation, send test call, test call, try endpoint, fire a test event,
    send an example authorisation, try with an amount, call with 3DS, test a decline, send one webhook`,
  whoami: `
    which profile is used, which service am I on, am I on production, current user, audit user,
    which profile, profile am using, current profile, who am i, which service, am I live, am I on test,
    which user am I, wrong environment`,
}
