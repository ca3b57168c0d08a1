export const ASKED_OF_SETUP_COMMANDS: Readonly<Record<string, string>> = {
  completion: 'completion script, shell script for completion, bash completion script',
  'completion install': `
    tab completion, autocomplete, zsh completion, bash completion, fish, powershell, press tab,
    shell completion, complete commands, set up tab, install autocompletion, tab key does nothing`,
  'completion uninstall': 'remove tab completion, remove autocompletion, undo completion install',
  'data erase': `
    erase a person, right to be forgotten, delete what is kept about a customer, gdpr request, erase person,
    erase data person, forget a customer, customer wants to be forgotten, delete personal data,
    delete one customer's records, forget a person, gdpr deletion, right to erasure, privacy deletion`,
  'data export': `
    backup, move to another computer, copy the journal, take data to a new machine, new computer,
    back up my data, disk replaced, back up, save my journal, copy for a new machine, encrypted backup,
    move to a new laptop`,
  'data import': `
    restore a backup, take data over from an old computer, restore, load a backup,
    take over from a lost machine`,
  'data keys': `
    key of this machine, trust another machine, trust a key, fingerprint of this machine,
    keys of colleagues, distrust a key`,
  'data remove': `
    remove all data, delete everything on this machine, clean this computer, leave nothing behind, wipe,
    remove all traces, clean up a laptop, give back a computer, leave the company,
    delete all files of cardctl, factory reset, remove everything, clean machine,
    before I hand in the laptop`,
  'data where': `
    which files, where are files, location of the journal, data folder, disk space, what is kept,
    where is the config file, where are the logs, which folder, how much disk space, where is everything,
    storage location, paths, size of files, list of files, find the database, config path, log location`,
  doctor: `
    nothing works, check the set-up, diagnose, test connection, is everything right, cannot connect,
    connection problem, network problem, something is slow, cannot reach the service, is my set-up right,
    connection test, check certificates, health check, self test, something is broken,
    verify the installation, connection check, why is it slow, check proxy, check clock, check keyring,
    is everything ok, troubleshoot`,
  'gate serve': `
    server that sends for others, gate, credentials of another user, start the gate, server with a policy,
    sends for other users`,
  mcp: `
    tools for an assistant, model context protocol server, AI, connect an assistant, tools for a model,
    mcp server, tools for claude, serve tools, connect an llm, assistant integration`,
  'policy check': `
    is my policy right, syntax of the policy, validate the policy, is the policy ok, policy file error`,
  'policy show': 'which policy applies, effective policy, rules that apply to me, what am I allowed',
  'policy test': `
    would the policy allow this, why did the policy refuse, may I do this, would it be allowed,
    check a command against the policy, why refused, may I run this, policy decision`,
  'profiles add': `
    new profile, connect to a service, add credentials, set up a service, oauth, basic auth, bearer token,
    api key, connect to production, set up access, add staging, client certificate, second environment,
    create a profile, register a service, configure access, oauth setup, new environment, store a token,
    add production`,
  'profiles edit': `
    change a profile, new secret, new password, change the base url, change token, set read-only,
    change base url, change profile, new base url, change url, token expired, password changed,
    change timeout, change the certificate, set a quota, make a profile read-only, update a profile,
    replace the token, change settings, set a timeout, set a proxy, set a header, rotate credentials,
    ceiling, base url changed, unset a setting, quota of a profile`,
  'profiles list': 'which profiles, list environments, show all profiles, which environments are set up',
  'profiles remove': 'delete a profile, remove credentials, forget credentials, log out',
  'profiles show': 'settings of a profile, show settings, details of a profile, what is configured',
  'profiles test': `
    test credentials, does the login work, is the token right, is the service reachable, password right,
    token right, credentials right, service up, service reachable, check password, does login work,
    401 unauthorised, is my password wrong, test my token, try the credentials, is my token valid,
    ping the service, test the connection, login check, check access`,
  'profiles use': `
    default profile, switch profile, choose an environment, set default profile, switch environment,
    use staging by default, set the default, switch to staging, change environment, select a profile,
    choose the service`,
  schema: `
    json schema, types of results, fields of the json output, typescript types of the output,
    validate json output, jsonschema, schema of a result, validate output, fields of the output,
    types for results, json schema of errors`,
  tour: `
    try it, demo, what can it do, first look, quick demo, getting started, try it out, introduction,
    show me what it can do, first steps, walkthrough`,
  upgrade: `
    new version, how to upgrade, is there a newer version, update cardctl, update, newest version,
    how do I upgrade, install a newer version`,
  whoami: `
    which profile is used, which service am I on, am I on production, current user, audit user,
    which profile, profile am using, current profile, who am i, which service, am I live, am I on test,
    which user am I, wrong environment, which environment, which user, am I on live, current settings,
    where does the setting come from, logged in as`,
  'help flags': `
    global flags, timeout, dry run, debug, verbose, quiet, yes, no questions, non-interactive,
    see the request, http headers, curl command, print the request, flags of every command, raw request,
    see what is sent, show request and response, trace http, verbose output, print the http request,
    dry-run, set the timeout, timeout of a request, longer timeout, which flags are everywhere,
    log http traffic, increase timeout, assume yes, non-interactive mode, show the curl, common options,
    flags for all commands, --dry-run, --debug, --curl, --quiet, --yes, --timeout, global options,
    log the traffic, simulate a command, test without sending, preview a request, show what would be sent`,
  'help environment': `
    environment variables, proxy variable, NO_COLOR, HTTPS_PROXY, HTTP_PROXY, NO_PROXY, CARDCTL_TOKEN,
    script hangs, never ask, list of variables, disable colours, never prompt,
    list of environment variables, CARDCTL_ variables, set by variable, disable prompts`,
  'help formatting': `
    columns, csv, output formats, query, choose columns, csv output, output as json, output as csv,
    jmespath, columns of a table, no header, yaml`,
  'help exit-codes': `
    exit codes, exit status, return code, exit 4, exit 9, exit 11, status code of the program,
    exit code list, exit code meaning, return values, exit 0, $?`,
  'help idempotency': 'retry, idempotency, idempotency keys, does it repeat, safe to retry, retries',
  'help sensitive-data': `
    secret on the command line, shell history, masking, how to pass a secret,
    card number on the command line, PIN on the command line, see hidden values`,
}
