export const ASKED_OF_PAGES_OF_SET_UP: Readonly<Record<string, string>> = {
  'dialects.md': `
    other service, other field names, other paths, map fields, adapt commands to my api, another service,
    minor units, my service has other paths, field names differ, other json, cents instead of euros, adapt,
    our api is different from yours, use the commands with another issuer, translate fields, adapter,
    mapping of an api, another provider, vendor with other endpoints, convert statuses, proprietary api,
    marqeta, integrate a different card platform`,
  'dialects.md#Making one': `
    how to write a dialect, draft a dialect, generate a mapping from openapi, try a dialect,
    check a dialect against the service`,
  'dialects.md#An operation': `
    map an operation to another path, operation that the service cannot do, request of an operation, cannot`,
  'dialects.md#A field': `
    convert a value, status names of the service, amount in cents, date in another format, decimal text,
    pick an item of a list, jmespath in a dialect, minor`,
  'dialects.md#The webhook': `
    authorisation calls in another format, other names in the webhook, webhook of another provider,
    map fields of the call`,
  'dialects.md#What is refused, and what is not believed': `
    dialect refuses my value, no place for a field, ids have letters, id format`,
  'first-day.md': `
    connect my own service, real service, real credentials, get started with our bank, production access,
    go live, my own service, use it with my bank, connect to production, sandbox to production,
    switch to production, production, onboarding, first connection, try with our test system,
    check the connection, is our service compatible, start with a real service, first steps with production,
    I have a url and a token, credentials arrived what now, how to begin with my bank,
    evaluate against our api, connect a new environment, set up access to the test system,
    sandbox works how to go on, integration with an existing service`,
  'first-day.md#Add a profile': 'put in the base url, where do I type the token, enter credentials',
  'first-day.md#Check the connection': `
    is the token accepted, latency to the service, 401 from the service, authentication refused,
    doctor for a profile, does it reach the service`,
  'first-day.md#Find the differences': `
    which fields are different at our service, compare responses with the contract,
    html report of differences, validate the service, schema mismatch`,
  'first-day.md#Compare the documents': 'is our openapi compatible, breaking differences, diff of documents',
  'first-day.md#Add commands': 'use our own endpoints, extra commands',
  "first-day.md#Use the service's own names": `
    field is called otherwise, other word for a wallet, rename a field`,
  'gate.md': `
    server of another user, credentials that colleagues never see, jump host, service account,
    hide the token from users, shared credential, broker, proxy with policy, daily limit of a user,
    credential that no employee sees, keep the token away from staff, central server for live access,
    unix socket for a user, sending service, privileged daemon, sudo for card operations, bastion,
    separate user for credentials, let a robot send without the secret`,
  'gate.md#Set it up': `
    cardgate user, systemd unit of the gate, socket of a user, port and token for a container`,
  'gate.md#What it does': `
    sum of a day, too many refusals, who sent it through the server, agent through a gate`,
  'gate.md#What gets past it': 'weaknesses of the gate, can someone get around the server',
  'imported-contracts.md': `
    openapi, swagger, own commands, commands for our api, import a spec, openapi bank, own openapi,
    openapi file, extra operations of my service, custom endpoints, commands from swagger, other resources,
    use endpoints that cardctl does not know, own operations, add our api, other parts of the service,
    invoices of our service, transactions of a card, list transactions, spend control, exchange rates,
    notifications, extend with our openapi, custom commands, generated commands, additional resources`,
  'imported-contracts.md#Command names': `
    what is my command called, names of generated commands, operationId, two contracts with the same command`,
  'imported-contracts.md#Parameters and bodies': `
    upload a file, multipart, form data, save a pdf, download a document, binary response, list parameter,
    object in a query, query parameter, template of a body, send a file`,
  'imported-contracts.md#Effects': `
    post that only reads, mark an operation as a read, operation asks although it reads, destroy,
    effects file`,
  'imported-contracts.md#Many rows': `
    bulk with my own operation, bulk for an imported operation, DESCRIPTION_CHANGED`,
  'imported-contracts.md#Secrets, ids and personal data': `
    mask fields of an imported contract, personal data in an imported contract,
    field is masked but should not be, hide a field, token field is an id, national id number,
    personal data fields, x-sensitive, api key scheme, two credentials at once`,
  'imported-contracts.md#Lists': `
    pagination of an imported list, next page, cursor, all pages of my own list, has_more, next_cursor,
    link header, offset and limit, list of my service ends too early`,
  'imported-contracts.md#Comparing the service with the document': `
    does the service follow its openapi, drift between document and service`,
  'imported-contracts.md#Names of the service': `
    map names, answers file, unsure names, rename pinBlock, words of a service, path prefix`,
  'installation.md': `
    install, setup, download, apt, npm, windows, mac, which node version, without node, offline install,
    docker image, container, uninstall, update, new version, remove cardctl, debian, command not found,
    not recognised command, newest version, latest version, which node, docker, container image,
    pin a version, which version, how do I install, requirements, supported systems, arm64, alpine,
    apt install, exe, without internet, air gapped, root needed, permission to install, get cardctl,
    where to download, set up on a server, install for all users, no root rights, corporate laptop install,
    build a package, node too old, EBADENGINE, glibc, rhel, centos, fedora, alpine linux, raspberry pi,
    system requirements, which operating systems, offline server, OCI image, podman,
    command is not found after the install, path variable`,
  'installation.md#Check what you got': `
    checksum, verify a download, signature of a package, provenance, verify signature of the download,
    sha256sums, sbom, bill of materials, reproducible build, slsa, trusted download, cyclonedx`,
  'installation.md#A folder with its own runtime': `
    without node.js, tar.gz, standalone binary, portable, single folder`,
  'installation.md#On Debian': 'ubuntu, deb package, apt repository, dpkg, .deb, sources.list, apt update',
  'installation.md#With npm': `
    npm package, npx, global package, npm install global, tgz, node 18, which node does it run on`,
  'installation.md#From a clone': `
    git clone, build from source, npm ci, npx cardctl works only in the folder`,
  'installation.md#Upgrade': `
    upgrade, update, old data after an upgrade, newer version, downgrade, is there an update,
    does it update itself, auto update, keep my data when upgrading, migrate to a new version, changelog`,
  'installation.md#Completion': `
    tab does nothing, zsh, fish, tab completion, complete ids, shell completion, autocomplete does not work`,
  'installation.md#macOS and Windows': `
    windows, macos, powershell, homebrew, wsl, windows 11, cmd.exe, mac with apple silicon, network drive,
    nfs, cmd and bat files`,
  'installation.md#Uninstall': `
    uninstall, remove the program, get rid of it, remove all files, clean removal, leave nothing behind,
    deinstall, get rid of cardctl`,
  'policy.md': `
    limit what colleagues may do, forbid commands, maximum amount, who may send what, restrict staff,
    permissions of colleagues, stop transfer amount, forbid transfer, forbid transfer amount,
    limit what colleagues do, who may do what, forbid a command, allow a command, largest amount,
    restrict interns, max amount for colleagues, forbid closing accounts, only allow reads, who is allowed,
    company rules, admin decides, rules for users, company policy file, admin restricts commands,
    what is allowed on this machine, /etc/cardctl/policy.yaml, POLICY_REFUSED, limit per request,
    largest sum per day, restrict an agent, whitelist of hosts, central control, governance,
    permission by user, interns may only look, cap on transfers, read-only for the team, forbid deletions,
    refused by the policy`,
  'policy.md#Where it is, and whose': `
    owner of the policy file, policy is ignored, policy in a container, policy is unreadable`,
  'policy.md#What it says': `
    keys of a policy, syntax of a policy, sums in a policy, approvedBy, disclose refuse, policy fields`,
  'policy.md#What gets past it': 'bypass a policy, go around the policy',
  'profiles.md': `
    profile, environments, test and production, several services, credentials, settings, timeout, proxy,
    base url, read-only, read-only access, support staff read-only, read-only colleague,
    certificate authority, self-signed, certificate chain, verify certificate, client certificate, log in,
    login, switch profile, connect to my service, dev test prod, accounts for each environment, config file,
    proxy settings, audit user, configuration, configure access, several environments, target environment,
    which settings exist, settings of a connection, multiple banks, connection settings,
    tenants and headers, default environment, api base address, account for test and live,
    setup of credentials, timeouts and rates, custom certificate, set up a proxy`,
  'profiles.md#Kinds': `
    live, test, sandbox, kind of a profile, read-only, difference between test and live, protect production,
    mark a profile as production, live profile, test profile, difference of live and test,
    make it read-only, block writes, safety on production`,
  'profiles.md#What is asked before a request leaves': `
    why does it ask, type the host name, confirmation, are you sure, yes flag, ask before live,
    why must I type the id, confirm on live, are you sure question, skip confirmation,
    scripts and confirmation, confirm flag, --yes does not work, --confirm, type the id,
    why does it want the host, asks again, confirm in a script, no confirmation on test, irreversible value,
    write off an account, GATE_REFUSED, confirmation required, suppress the question`,
  'profiles.md#Loosening a live profile': `
    loosen a profile, remove a protection, change kind live, change a live profile in a script,
    cannot change the profile, remove the read-only mark, remove a live profile`,
  'profiles.md#Agents': `
    agent on production, what may an AI do, which caller is an agent, detected as an agent, CARDCTL_AGENT,
    AI_AGENT, PROPOSED_INSTEAD, claude code is refused, as person`,
  'profiles.md#Large changes': `
    LARGE_CHANGE, ten times the old limit, typing error in an amount, one zero too many`,
  'profiles.md#Ceilings': `
    largest amount, ceiling, maximum of a transfer, stop large transfers, amount too high, cap on amounts,
    ask above an amount, highest transfer, protection from typing errors in amounts, amount over the ceiling`,
  'profiles.md#Machines': `
    service user, machine account, not a person, audit user for a job, technical user, name of a robot,
    responsible team, root is refused as audit user, ci is no person`,
  'profiles.md#How your service talks': `
    oauth, client credentials, basic auth, bearer, mTLS, api key header, login at the service, token url,
    oauth2, client id, token endpoint, scopes, api key in a header, hmac of requests, other header names,
    response is wrapped in data, envelope, extra header for every request, api version header,
    tenant header, error format of our api, pagination style of the service, asynchronous writes,
    query arrays, audit user in a header`,
  'profiles.md#Which value wins': `
    flag or variable, precedence, order of settings, flag wins over variable, default audit user,
    PROFILE_NOT_CHOSEN, where does a value come from, CARDCTL_BASE_URL refused,
    credentials go to another host, override a setting`,
  'profiles.md#Environment variables': `
    environment variables, proxy, https_proxy, CARDCTL_PROFILE, variables, proxy firewall, company proxy,
    corporate proxy, which variables, configure by environment, variables in docker, env var for the token,
    without a profile, container without config, all settings by variable, CARDCTL_BASE_URL, CARDCTL_TOKEN,
    CARDCTL_KIND, CARDCTL_DATA_DIR, CARDCTL_AUDIT_USER, NODE_EXTRA_CA_CERTS, twelve factor,
    configure in kubernetes, read-only file system`,
  'profiles.md#Secrets': `
    password, secret, keyring, vault, password manager, secret from a command, secret from a file,
    token from the environment, store credentials, save password service, save password, store password,
    where password, put token, where token, set token, secret manager, read token from a file, hashicorp,
    aws secrets, 1password, pass, keychain, without keyring, hidden prompt, keyring not available,
    secrets.json, secret from vault, token from a command, cmd reference, env reference, file reference,
    where does it keep my password, gnome keyring, macos keychain, rotate a credential, replace the token,
    docker secrets`,
  'profiles.md#Files': `
    profiles.json, config file, timeout setting, rate setting, quota, timeout, time limit of requests,
    seconds to wait, where is profiles.json, location of the configuration, edit the profile by hand,
    folders on windows, folders on mac, XDG_CONFIG_HOME, example profile, share a configuration,
    data folder, cache folder`,
}
