export const ASKED_OF_PAGES_OF_USE: Readonly<Record<string, string>> = {
  'agents.md': `
    AI, LLM, coding assistant, agent, MCP, chatbot, safe for an AI, assistant, model context protocol,
    ai agent, coding agent, claude, cursor, use with an LLM, automation by AI, prompt, tools,
    let an assistant run commands, use it from an IDE, connect to copilot, gemini, codex, function calling,
    tool use by a model, what may a model do on production, llms.txt, prompt injection,
    text of the service in a prompt, agent writes become proposals, stop an agent from writing,
    give a bot read access, robot user, autonomous agent`,
  'agents.md#Command lines': `
    the whole tool on one page for a model, describe every command as data, machine readable help`,
  'agents.md#Tools of the Model Context Protocol': `
    mcp config, mcp json, mcpServers, mcp server on stdio, tools cards_get, live reads for an agent,
    resources of mcp, cursor and next of a tool result, agent message too large, which tools are served`,
  'four-eyes.md': `
    second person, approval, dual control, maker checker, two people, needs approval, who may approve,
    two people must approve, approval rights, approve own request, waiting for approval,
    why does my change wait, second pair of eyes, second approver, release by a colleague, sign off,
    approval workflow, who has to approve, needs a second person, says it wants a second person,
    second signature, supervisor has to confirm, double check by a colleague, segregation of duties,
    needs a second approver, dual authorisation, manager approval, confirm by another user,
    large transfers need approval, nobody can do it alone, change request, proposal, workflow for approvals`,
  'four-eyes.md#Set it up': `
    folder for proposals, who may approve, members file, second person for deletions,
    threshold for approval, set up approvals, list of approvers, amount that needs a second person`,
  'four-eyes.md#Try it out alone': 'test approvals by myself, simulate two people',
  'four-eyes.md#Propose and approve': `
    propose a change, ask a colleague to approve, proposal expired, proposal was edited,
    how long is a proposal valid, reject a colleague's change, GATE_REFUSED second person, approve twice`,
  'four-eyes.md#Approve on another machine': 'sign an approval remotely, approval by file, approve from home',
  'four-eyes.md#What it protects against, and what not': `
    can I approve my own change, bypass the second person, two user ids of one person, root can approve`,
  'output.md': `
    json, csv, yaml, jq, format, columns, only some fields, only ids, one field, header line, table,
    machine readable, parse the output, pipe to another program, sort, filter, columns csv, filter list,
    as yaml, as csv, sort list, hide header, print json, only the id, print one value, extract a field,
    jmespath, save to a file, output to excel, quiet output, tab separated, pretty print, raw output,
    assign to a variable, without header, sorted, print as json, machine readable output, choose fields,
    select columns, export to csv, filter the result, transform the output, only one value, use in a pipe,
    format of the output, grep the output, wide table, cut columns, long text is cut, ndjson stream,
    flatten json, query expression, sum up a list, count results`,
  'output.md#Responses that differ from the contract': `
    unknown field, response differs, strict, warning about a response, warning about unknown members,
    service returns other fields, warning differs from the contract, strict mode, ANSWER_DIFFERS,
    fail on unknown fields, extra field in a response, missing field, no check of the input,
    proxy returned html`,
  'output.md#Responses for another resource': `
    response names another card, wrong card came back, id with leading zeros`,
  'output.md#Amounts and times': `
    time zone, dates, rounding, amounts, cents, currency, utc, local time, time zone of times,
    currency format, number format, decimals of a currency, big numbers, service time,
    narrow space in numbers, cents are missing, numbers lose zeros, summer time, timestamp format`,
  'output.md#Colour, pager, progress': `
    colours, no colour, pager, less, progress bar, spinner, quiet, turn off colour, plain output,
    no spinner, no pager, output opens in less, ascii only, no unicode, strange characters, monochrome,
    disable the pager, progress messages, silent, unicode boxes broken, ansi codes in the file`,
  'output.md#Length of lists': `
    all pages, more results, pagination, only 30 results, limit of a list, next page, truncated list,
    fetch everything, page size, cursor, too many results, only 30 shown, list is cut, more than 30,
    everything at once, only the first page, incomplete list, LIST_INCOMPLETE, exit 16, MORE_RESULTS,
    max pages, limit the number of results, total number`,
  'output.md#Watching a read': `
    watch, repeat every few seconds, wait until a value changes, poll, refresh automatically,
    monitor a card, tell me when it changes, polling interval, live view`,
  'output.md#Text from outside': 'formula in a cell, csv injection, escape sequences, control characters',
  'output.md#Input files': `
    csv format, delimiter of the input, semicolon in the input, encoding of the file, byte order mark,
    file ends without newline, file truncated, line too long, bad rows`,
  'output.md#Spreadsheets of other people': `
    excel, semicolon, umlauts, encoding, xlsx, other column names, file from a customer, german excel,
    latin1, bom, semicolon separated, other headers, xlsx from a customer, several sheets, hidden rows,
    hidden columns, foreign column names, german column names, swedish file, currency per file,
    sheet of a workbook, excel file with transfers`,
  'output.md#Mappings that are kept by name': `
    remember the columns, save the column mapping, same layout every month, reuse a mapping`,
  'output.md#Numbers that people type': `
    decimal comma, comma or point, thousands separator, 1.234, 56, 1.000, european numbers,
    comma as decimal, 1.500 or 1500, number is ambiguous, comma in amounts, european amounts, thousands,
    decimal point`,
  'output.md#Errors': `
    error as json, error format, stderr, parse errors, catch an error in a script, error code in json,
    parse the error, stderr as json, structure of an error, catch errors, error on stderr, hint of an error,
    warnings as json, error codes in scripts`,
  'output.md#Logs for programs': `
    json logs, trace id, opentelemetry, log lines, structured logs, log format json, traceparent,
    correlation id, distributed tracing, request id, datadog, loki, log level`,
  'output.md#Signals and closed terminals': `
    ctrl-c, SIGTERM, SIGPIPE, closed pipe, head, kill the process, ssh connection lost, terminal closed,
    nohup, broken pipe, exit 130, exit 143, ctrl-d, close the window`,
  'output.md#Schemas': `
    json schema of a result, stable field names, field names after an update, compatibility, json schema,
    typed results, generate types, all commands as data`,
  'pin-device.md': `
    PIN in an app, PIN on the phone, encrypted PIN, PIN block from a device, control id,
    set a pin on the phone of the cardholder, never see the pin, PIN from an app, PIN on a terminal,
    encrypted PIN for a phone, customer chooses the PIN in the app, show the PIN in the app,
    mobile app sets the PIN, end to end encrypted PIN, PIN never leaves the phone, cardholder sets own PIN,
    PIN in live, pin set is refused on live, key pair of the device, oaep, openssl and PIN,
    customer wants to choose a PIN, zone key, PIN encryption, secure PIN change, card data for the app,
    exit 3 when setting a PIN`,
  'pin-device.md#Set a PIN': `
    steps to set a PIN with a device, build a PIN block with openssl, format 1 block, encrypt the PIN,
    decrypt the tzpk`,
  'pin-device.md#View a PIN': 'steps to view a PIN with a device, decrypt the PIN',
  'pin-device.md#What cardctl refuses': 'private key refused, v2 operations, allow v2, small rsa key',
  'support.md': `
    support staff, call centre, caller, customer on the phone, daily work, how to begin, screen reader,
    menu, be asked, first day in support, new colleague, training, how do I begin, practice, phone call,
    which command, typical questions of callers, help a customer, customer service, service desk, hotline,
    agent on the phone, tasks of support, beginner, learn the basics, everyday commands,
    training for new staff, helpdesk, back office, operator, caller asks, customer says`,
  'support.md#A caller': 'identify a caller, number read out, look up a caller',
  'support.md#A change': 'change something for a caller, wrong amount typed, take it back at once',
  'support.md#Callers to practise with': `
    exercises, practise cases, example calls, training cases, role play`,
  'support.md#The end of the shift': `
    report for the boss, hand over, finish my shift, hand over open cases, evening report`,
  'support.md#Find': `
    find, search, which number is this, look for something by number, which kind of id is this,
    search for a name, search by reference, ACCOUNT_BLOCKED_HERE, is the account blocked`,
  'support.md#History': `
    who did this, earlier changes, old value before a change, what was it before, what happened before,
    who changed it, earlier calls of this customer, log of changes`,
  'support.md#Undo': `
    undo, take back, reverse a mistake, wrong button, restore a value, CANNOT_UNDO, undo an undo,
    which changes cannot be undone, undo twice`,
  'support.md#Plain commands': 'short commands, type of the account, block and unblock',
  'support.md#Notes, tickets, times': `
    ticket number, note, reason, add a ticket, reason for a change, comment, jira number, case number,
    comment on a change, require a ticket, search by ticket, since yesterday, date format, until monday,
    time range`,
  'support.md#Reports': `
    report, hand over, pdf, html, print a report, report as pdf, daily summary, printed report,
    report of one person, report of a batch, activity report, what did one colleague do`,
  'support.md#One report of several machines': `
    merge reports, combine desks, signed report, team report, reports of colleagues together`,
  'support.md#Be asked for values': `
    menu, ask me for values, guided, interactive, do not know the command, wizard, step by step,
    I do not know the flags, ask me step by step, form, questions instead of flags, prompts,
    I don't know the options, ask me everything, assistant mode, dialog, tui, esc goes back,
    help me fill it in, beginner mode`,
  'support.md#Screen readers': `
    screen reader, blind, accessibility, braille, plain lines, reads nonsense, no redraw, visually impaired,
    nvda, jaws, voiceover, read aloud, CARDCTL_ACCESSIBLE, low vision`,
}
