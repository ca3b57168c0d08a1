export const ASKED_OF_PAGES_OF_OUTPUT: Readonly<Record<string, string>> = {
  'output.md': `
    json, csv, yaml, jq, format, columns, only some fields, only ids, one field, header line, table, machine
    readable, parse output, pipe another program, sort, filter, columns csv, filter list, sort list, hide
    header, print json, only id, print one value, extract field, jmespath, save file, output excel, quiet
    output, tab separated, pretty print, raw output, assign variable, without header, choose fields, select
    columns, export csv, filter result, transform output, only one value, pipe, format output, grep output,
    wide table, cut columns, long text cut, ndjson stream, flatten json, query expression, sum up list, count
    results, script output, parse, redirect file, save result, excel export, compact, truncated text, get csv
    instead, result excel, json output, put result file, fields output, pipe jq, scripts, print spreadsheet,
    choose columns, parse results jq, short output, one column, only one column, column xargs, print one
    column, single column, feed loop, shell loop, ids only list, bash variable, plain list ids, awk, extract
    number, only numbers column, one value per line, script friendly`,
  'output.md#Responses that differ from the contract': `
    unknown field, response differs, strict, warning response, warning unknown members,
    service returns other fields, strict mode, ANSWER_DIFFERS, extra field response, missing field,
    no check input, proxy returned html, unexpected field, differs contract, strange response, html page,
    unknown value, validation warning, service sends something strange, html instead json,
    fail service changes`,
  'output.md#Responses for another resource': `
    response names another card, wrong card came back, id leading zeros, wrong card returned, other id,
    mixed up response, response another id`,
  'output.md#Amounts and times': `
    time zone, dates, rounding, amounts, cents, currency, utc, local time, currency format, number format,
    decimals currency, big numbers, service time, narrow space numbers, cents missing, numbers lose zeros,
    summer time, timestamp format, decimals, thousands, timezone, date format, number text, hour off,
    wrong time shown, time utc, decimals missing, 12.5 instead 12.50, decimals rounding, amounts written`,
  'output.md#Colour, pager, progress': `
    colours, no colour, pager, less, progress bar, spinner, quiet, plain output, no spinner, no pager,
    ascii only, no unicode, strange characters, monochrome, disable pager, progress messages, silent,
    unicode boxes broken, ansi codes file, colour off, colors, no color, scrolling, ascii, garbled characters,
    boxes, question marks, noise, theme, dark background, colours unreadable, can't read colours,
    scroll long output, hide progress, strange symbols, black white, output stops end screen, less opens,
    turn off progress bar`,
  'output.md#Length of lists': `
    all pages, more results, pagination, only 30 results, limit list, next page, truncated list,
    fetch everything, page size, cursor, too results, only 30 shown, list cut, more than 30, everything once,
    incomplete list, LIST_INCOMPLETE, exit 16, MORE_RESULTS, max pages, limit number results, total number,
    only first, first ten, limit rows, incomplete, top 10, only first ten rows, show ten results,
    see all results, not all results shown, results missing, page through, show more one page, get everything,
    know list complete, first few entries only`,
  'output.md#Watching a read': `
    watch, repeat every few seconds, wait until value changes, poll, refresh automatically, monitor card,
    tell changes, polling interval, live view, refresh, monitor, changes only, every 5 seconds,
    refresh every few seconds, wait until something changes`,
  'output.md#Text from outside': `
    formula cell, csv injection, escape sequences, control characters, formula, escape codes, malicious name,
    formula injection excel, malicious text`,
  'output.md#Input files': `
    csv format, delimiter input, semicolon input, encoding file, byte order mark, file ends without newline,
    file truncated, line too long, bad rows, separator, delimiter, semicolon, tab, encoding, utf-8, latin1,
    umlaut, accents, bom, line endings, crlf, header row, broken csv, stdin file, csv semicolon, german csv,
    wrong encoding, strange letters csv, csv rejected, tab file, quotes csv, file format uploads,
    separators allowed, umlauts broken, utf-8 bom, tab separated, errors file, file pipe,
    semicolon separated file`,
  'output.md#Spreadsheets of other people': `
    excel, semicolon, umlauts, encoding, xlsx, file customer, german excel, latin1, bom, semicolon separated,
    other headers, xlsx customer, several sheets, hidden rows, hidden columns, swedish file, currency per
    file, sheet workbook, excel file transfers, workbook, sheet, german headings, foreign headings, totals
    row, title row, merged cells, column names, libreoffice, google sheets, numbers export, strikethrough,
    excel file own headings, wrong headings, bank's excel, headings another language, customer sent
    spreadsheet, wrong column used, sum end sheet, partner file columns named differently, german column
    names, columns called something else, spreadsheet from partner, customer's own file, file with other
    titles, headings swedish, column titles french, which column is amount, map columns, title above header,
    total line below, decimal comma excel, numbers with comma excel, bank export`,
  'output.md#Mappings that are kept by name': `
    remember columns, same layout every month, reuse mapping, same layout, save mapping, monthly file,
    same spreadsheet every month`,
  'output.md#Numbers that people type': `
    decimal comma, comma point, thousands separator, 1.234, 56, 1.000, european numbers, number ambiguous,
    comma amounts, european amounts, thousands, decimal point, 1.500, apostrophe, 1, 5, dot thousands,
    1.500 fifteen hundred, amount read wrongly, amount german notation`,
  'output.md#Errors': `
    error json, error format, stderr, parse errors, stderr json, structure error, catch errors, error stderr,
    hint error, warnings json, error codes scripts, error fields, error object, warning json, error contain`,
  'output.md#Logs for programs': `
    json logs, trace id, opentelemetry, log lines, structured logs, traceparent, correlation id,
    distributed tracing, request id, datadog, loki, log level, correlation, logs machine, trace requests,
    trace id through all systems, json lines stderr`,
  'output.md#Signals and closed terminals': `
    ctrl-c, SIGTERM, SIGPIPE, closed pipe, head, kill process, ssh connection lost, terminal closed, nohup,
    broken pipe, exit 130, exit 143, ctrl-d, close window, kill, hangup, ssh disconnect, tmux, ctrl-z,
    head closes, screen session, closed terminal during run, happens ctrl-c, session lost, stop safely,
    press ctrl-c, ssh connection drops, closed laptop`,
  'output.md#Schemas': `
    stable field names, field names after update, compatibility, json schema, typed results, generate types,
    all commands data, schema output, stable output, types, contract scripts, schema parser, results stable,
    typed output`,
  'pin-device.md': `
    PIN app, PIN phone, encrypted PIN, PIN block device, control id, set pin phone cardholder, never see pin,
    PIN terminal, customer chooses PIN app, PIN never leaves phone, cardholder sets own PIN, PIN live,
    key pair device, oaep, openssl PIN, customer wants choose PIN, zone key, PIN encryption, secure PIN change,
    card data app, exit 3 setting PIN, pin end end, cardholder app, pin never visible, hsm,
    pin without support seeing, pin production, customer sets pin app`,
  'pin-device.md#Set a PIN': `
    steps set PIN device, format 1 block, encrypt PIN, decrypt tzpk, app sets pin, pin flow, rsa key pair,
    device key, build block, flow new pin app`,
  'pin-device.md#View a PIN': 'steps view PIN device, decrypt PIN, app shows pin',
  'pin-device.md#What cardctl refuses': `
    private key refused, v2 operations, allow v2, small rsa key, short key, v2, weak rsa, rsa key too short,
    card number device`,
}
