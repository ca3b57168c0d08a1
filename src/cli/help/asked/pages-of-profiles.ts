export const ASKED_OF_PAGES_OF_PROFILES: Readonly<Record<string, string>> = {
  'profiles.md': `
    profile, environments, test production, several services, credentials, settings, timeout, proxy, base url,
    read-only, read-only access, support staff read-only, read-only colleague, certificate authority,
    self-signed, certificate chain, verify certificate, client certificate, log, login, switch profile,
    connect service, dev test prod, accounts each environment, config file, proxy settings, audit user,
    configuration, configure access, several environments, target environment, settings exist,
    settings connection, multiple banks, tenants headers, default environment, api base address,
    setup credentials, timeouts rates, custom certificate, set up proxy, multi tenant, config, test live,
    staging, qa, profile settings, service address, behind proxy, corporate network, multiple customers,
    set service, two environments, settings service, service configuration, corporate proxy, tell service,
    switch between customers mine, settings per environment`,
  'profiles.md#Kinds': `
    live, test, sandbox, kind profile, read-only, protect production, live profile, test profile, make
    read-only, block writes, safety production, test live, kind live, production marker, read only mode, look
    only, no writes, safe mode, viewer, read only support, only reads, cannot change anything, mark
    production, only look never change, read-only access, forbid changes production, live mean, trainees only
    look, only look at production, trainee, view only, no changes allowed, intern read production, look but
    not touch, can't change anything, disable writes, observer, somebody who may only read, production safe
    for beginners`,
  'profiles.md#What is asked before a request leaves': `
    ask, type host name, confirmation, sure, yes flag, ask before live, type id, confirm live, sure question,
    skip confirmation, scripts confirmation, confirm flag, --yes not work, host, asks again, no confirmation
    test, irreversible value, write off account, GATE_REFUSED, confirmation required, suppress question,
    prompt, --yes, non-interactive, skip prompt, asks every time, refuses script, dangerous action, delete
    confirmation, interactive question, irreversible confirmation, question before write, avoid prompts cron,
    confirm deletion, --yes not enough, too questions, protected slip production, refuses without terminal,
    need --confirm, script hangs yes no, waits for yes, asks yes or no, skip question, confirmation in script,
    no prompt, do not ask, jenkins waits answer`,
  'profiles.md#Loosening a live profile': `
    loosen profile, remove protection, change kind live, change live profile script, cannot change profile,
    remove read-only mark, remove live profile, weaken, loosen, setting locked, cannot change setting,
    protected setting, types name, exit 3 profiles edit, change ca production,
    change protected setting production, wants name profile, weaken protection`,
  'profiles.md#Agents': `
    agent production, AI, caller agent, detected agent, CARDCTL_AGENT, AI_AGENT, PROPOSED_INSTEAD,
    claude code refused, person, bot, robot, ai production, agent detection, CLAUDECODE, ai writes,
    agent blocked, automation ai, bot write production, know AI runs, robot only gets proposal`,
  'profiles.md#Large changes': `
    LARGE_CHANGE, ten times old limit, typing error amount, ten times, extra zero, zero too, typo protection,
    big jump, huge increase, warning ten times much, protect against typing errors amounts,
    unusually high limit`,
  'profiles.md#Ceilings': `
    largest amount, ceiling, maximum transfer, stop large transfers, amount too high, cap amounts,
    ask above amount, highest transfer, protection typing errors amounts, amount over ceiling, maximum amount,
    cap per payment, upper bound, amount guard, too large amount, above limit question, never more, cap limits,
    nobody should send more than 50000, biggest amount without question, maximum single payment`,
  'profiles.md#Machines': `
    service user, machine account, not person, audit user job, technical user, name robot, responsible team,
    ci no person, machine user, service account, job name, robot account, root refused, person name required,
    audit user refused, ci user, job under own name, audit user person, user name batch account,
    name nightly refused, service logs person did, who responsible job`,
  'profiles.md#How your service talks': `
    oauth, client credentials, basic auth, bearer, mTLS, api key header, login service, token url, oauth2,
    client id, token endpoint, scopes, hmac requests, other header names, envelope, extra header every request,
    tenant header, pagination style service, asynchronous writes, query arrays, audit user header,
    wrapped response, custom header, api version, paging, cursor, error format, 202 location, array brackets,
    different json, service needs extra header, data inside data, next page field, service answers 202,
    api wraps everything data, extra header each request, pagination service different, backend returns 202,
    errors look different service`,
  'profiles.md#Which value wins': `
    flag variable, precedence, order settings, flag wins over variable, default audit user, PROFILE_NOT_CHOSEN,
    value come, CARDCTL_BASE_URL refused, credentials go another host, override setting, priority, override,
    wrong service, unexpected profile, default profile, ignored setting, host refused, credentials other host,
    no profile chosen, write refused without profile, uses wrong environment, sandbox used accident,
    environment variable not used, flag environment, sandbox, precedence settings,
    used sandbox although meant production, variable ignored, refused because another host`,
  'profiles.md#Environment variables': `
    environment variables, proxy, https_proxy, CARDCTL_PROFILE, variables, proxy firewall, company proxy,
    corporate proxy, configure environment, variables docker, env var token, without profile,
    all settings variable, CARDCTL_BASE_URL, CARDCTL_TOKEN, CARDCTL_KIND, CARDCTL_DATA_DIR, CARDCTL_AUDIT_USER,
    NODE_EXTRA_CA_CERTS, twelve factor, configure kubernetes, read-only file system, env config,
    container config, no file, twelve-factor, docker compose, helm values, empty home, read-only filesystem,
    variable typo, no config file container, all environment, configure pod, run without config file,
    settings container, variable cannot loosen`,
  'profiles.md#Secrets': `
    password, secret, keyring, vault, password manager, secret command, secret file, token environment, store
    credentials, save password, store password, put token, token, set token, secret manager, hashicorp, aws
    secrets, 1password, pass, keychain, without keyring, hidden prompt, keyring not available, secrets.json,
    secret vault, token command, cmd reference, env reference, file reference, keep password, gnome keyring,
    macos keychain, rotate credential, replace token, docker secrets, store token, env secret, kubernetes
    secret, plain text password, token file, secret reference, build server password, jenkins credentials,
    headless keyring, token ci, secret jenkins, keep token safe, put password, no keyring server, token
    without typing, read token vault, pass 1password, keyring missing, plain text secret disk, api key
    variable, where do I put the token, token in pipeline, password variable, github secret, store api key,
    rotate token, change password service, token expired new one`,
  'profiles.md#Files': `
    profiles.json, config file, timeout setting, rate setting, quota, timeout, time limit requests, seconds
    wait, location configuration, folders windows, folders mac, XDG_CONFIG_HOME, example profile, share
    configuration, data folder, cache folder, config path, edit hand, xdg, appdata, library preferences,
    settings file, config example, schema config, dotfiles, share config, damaged config, config, move config
    folder, settings, push config, one config all pcs, distribute profiles, same settings for everybody,
    config by administrator, shared config, roll out profiles, copy profile to colleague, default config, same
    settings 200 laptops, roll out settings, same settings many machines, settings for all laptops, give
    everybody same profiles, deploy config, same config on every machine, preconfigure machines, hand out
    profiles`,
}
