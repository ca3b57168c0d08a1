export const ASKED_OF_PAGES_OF_SUPPORT: Readonly<Record<string, string>> = {
  'support.md': `
    support staff, call centre, caller, customer phone, daily work, begin, screen reader, menu, asked,
    first day support, new colleague, training, practice, phone call, command, typical questions callers,
    help customer, customer service, service desk, hotline, agent phone, tasks support, beginner, learn basics,
    everyday commands, training new staff, helpdesk, back office, operator, caller asks, customer says,
    support agent, phone support, first line, angry customer, contact centre, guide staff, work hotline,
    support, guide agents, help callers, guide hotline, answer phone`,
  'support.md#A caller': `
    identify caller, number read out, look up caller, caller, who calling, find customer, somebody calls card`,
  'support.md#A change': `
    wrong amount typed, take back once, change caller, reason, block impossible,
    customer wants something changed, add reason change, card can't blocked`,
  'support.md#Callers to practise with': `
    exercises, practise cases, example calls, training cases, role play, practice, train, examples, learning,
    training data staff, practise calls, learn examples, examples train, practice cases, train new staff`,
  'support.md#The end of the shift': `
    report boss, hand over, finish shift, hand over open cases, evening report, end shift, handover,
    closing time, go home, handover next shift, finish day, going home now, finish work`,
  'support.md#Find': `
    find, search, number, look something number, kind id, search name, search reference, ACCOUNT_BLOCKED_HERE,
    account blocked, cannot find, lookup, blocked looks healthy, only last four digits, search last digits,
    find takes, find customer name, blocked account looks fine, find person surname`,
  'support.md#History': `
    who did, earlier changes, old value before change, before, happened before, who changed,
    earlier calls customer, log changes, past, history missing, other computer, far back, far back history go`,
  'support.md#Undo': `
    undo, take back, reverse mistake, wrong button, restore value, CANNOT_UNDO, undo twice, cannot undo, undo
    limits, irreversible, cannot undone, undo refused, things cannot taken back, revert older change, wrong
    value, reverse change, put it back, mistake, changed wrong account, revert`,
  'support.md#Plain commands': `
    short commands, type account, block unblock, type missing, easy commands, difference between limit patch`,
  'support.md#Notes, tickets, times': `
    ticket number, note, reason, add ticket, reason change, comment, jira number, case number, comment change,
    require ticket, search ticket, since yesterday, date format, until monday, time range, ticket, jira, since,
    date input, yesterday, zendesk, servicenow, add reason, note change, find ticket, dates type, write down`,
  'support.md#Reports': `
    report, hand over, pdf, html, print report, report pdf, daily summary, report batch, activity report, did
    one colleague, html report, report person, weekly, report boss, report web page, weekly report, belongs
    report, html page supervisor, report for boss, what did I do today, summary of day, list of my changes,
    monthly report, who changed, export work`,
  'support.md#One report of several machines': `
    merge reports, combine desks, signed report, team report, reports colleagues together, combine two reports`,
  'support.md#Be asked for values': `
    menu, ask values, guided, interactive, not know command, wizard, step step, not know flags, ask step step,
    form, questions instead flags, prompts, don't know options, ask everything, assistant mode, dialog, tui,
    esc goes back, help fill, beginner mode, ask, back step, escape, no flags needed, guided input,
    form change, interactive mode, go back question`,
  'support.md#Screen readers': `
    screen reader, blind, accessibility, braille, plain lines, reads nonsense, no redraw, visually impaired,
    nvda, jaws, voiceover, read aloud, CARDCTL_ACCESSIBLE, low vision, accessible, orca, speech, blind
    colleague, speech output, accessible output, answers aloud, jaws nvda, large print, narrator`,
}
