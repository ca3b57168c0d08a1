export const ASKED_OF_PROGRAM_COMMANDS: Readonly<Record<string, string>> = {
  completion: 'completion script, bash completion, shell script tab, autocomplete, press tab complete',
  'completion install': `
    tab completion, autocomplete, zsh completion, bash completion, fish, powershell, press tab,
    shell completion, complete commands, set up tab, install autocompletion, tab key nothing, enable tab,
    zsh tab, fish tab, powershell tab, complete ids, tab bash, completion fish, complete tab,
    shell suggestions`,
  'completion uninstall': `
    remove autocompletion, undo completion install, disable tab, remove completion, bashrc lines,
    stop tab suggestions`,
  'gate serve': `
    server sends others, gate, credentials another user, start gate, server policy, sends other users,
    credential server, hide token users, broker, privilege separation, sudo alternative, shared secret,
    users without secret, central sender, unix socket, daily sum limit,
    give users access without giving password, keep credential away developers,
    central service several users host, run another user, broker requests`,
  mcp: `
    tools assistant, AI, connect assistant, tools model, mcp server, tools claude, serve tools, connect llm,
    assistant integration, claude desktop, cursor, copilot, ai tool, llm tools, model context protocol,
    chatgpt, ai integration, tool server, agent, AI assistant, connect claude cursor, chatgpt look up cards`,
  'policy check': `
    policy right, syntax policy, validate policy, policy ok, policy error, lint policy, policy file correct`,
  'policy show': `
    policy applies, effective policy, rules apply, allowed, active policy, restrictions, forbidden, rules here,
    rules, here, list restrictions, not allowed, see restrictions`,
  'policy test': `
    policy allow, allowed, check command against policy, refused, run, policy decision, may I do, line refuses,
    try policy, explain refusal, simulate policy, policy refuse, check rule command, command permitted,
    try out policy line`,
  schema: `
    json schema, types results, jsonschema, schema result, validate output, fields output, output types,
    generate types, result structure, fields result, machine readable, fields json, output structure,
    types json, types program, machine readable description commands`,
  tour: `
    try, demo, what can it do, first look, quick demo, getting started, try out, introduction, show,
    first steps, walkthrough, quick start, intro, beginner, show features, guided tour, hello, try quickly,
    see demo, learn basics, show around, new here, learn example`,
  upgrade: `
    new version, upgrade, newer version, update cardctl, update, newest version, latest version, newer release,
    check updates, update steps, version behind, outdated, up date, version too old, get latest release,
    update program, check downloaded release`,
  'help flags': `
    global flags, timeout, dry run, debug, verbose, quiet, yes, no questions, non-interactive, see request,
    http headers, curl command, print request, flags every command, raw request, see sent,
    show request response, trace http, verbose output, dry-run, set timeout, timeout request, longer timeout,
    flags everywhere, increase timeout, assume yes, non-interactive mode, show curl, common options,
    flags all commands, --curl, global options, log traffic, simulate command, test without sending,
    preview request, show sent, options, curl request, yes flag, timeout flag, retries flag, profile flag,
    ticket flag, note flag, plan flag, show request only, don't ask, skip question, limit results,
    options every command, debug output, add ticket number, raw http request and headers`,
  'help environment': `
    environment variables, proxy variable, NO_COLOR, HTTPS_PROXY, HTTP_PROXY, NO_PROXY, CARDCTL_TOKEN,
    script hangs, never ask, list variables, disable colours, never prompt, CARDCTL_ variables, set variable,
    disable prompts, env vars, variable names, CARDCTL_, configure env, dotenv, docker env,
    turn off colours variable, config container, config variables docker, variables read, proxy settings,
    set default profile shell`,
  'help formatting': `
    columns, csv, output formats, query, choose columns, csv output, output json, jmespath, columns table,
    no header, yaml, yaml output, select columns, filter output, only ids, pretty print, grep output, jq,
    sort output, one field, raw value, table format, json instead table, get json, print csv, only id column,
    choose fields, no table, output script, count results, filter status, hide header, only some columns,
    filter result, jmespath query, print only id, json scripts`,
  'help exit-codes': `
    exit codes, exit status, return code, exit 4, exit 9, exit 11, status code program, return values, exit 0,
    non-zero, echo $?, failure code, success code, script failure, error number, exit, exit code 7,
    exit code 14, script checks code, code after command, $? mean`,
  'help idempotency': `
    retry, idempotency, idempotency keys, repeat, safe retry, safe repeat, run twice, duplicates,
    same effect once, most once, avoid duplicates, happens repeat command`,
  'help sensitive-data': `
    secret command line, shell history, masking, pass secret, card number command line, PIN command line,
    see hidden values, stars, hidden digits, dots instead number, secret input, hidden prompt, clipboard,
    pass pin, pan argument, type pin safely, number masked, pass card number, secret not history,
    see stars instead number, enter pin safely`,
}
