export const ASKED_OF_PAGES_OF_SECURITY: Readonly<Record<string, string>> = {
  'security.md': `
    security, safe, secrets, encryption, phones home, threat model, security review, protect data, new laptop,
    new computer, move laptop, copy journal, tampered log, splunk, siem, syslog, personal data, gdpr, delete
    all data, another machine, backup, passwords kept, card numbers logs, keyring, send data anywhere, call
    internet, usage statistics, tracking, leak card numbers, secure, send data home, passwords go, pentest,
    risk, encryption rest, data safe, secrets protected, data protection, information security questionnaire,
    supplier audit, audited, vulnerability, hardening, leaves machine, compliance evidence, access control,
    leaks, attack surface, trust, home calls, store, confidentiality, protection, privacy, compliance,
    penetration test, confidential, questionnaire, security overview, auditors, security officer, risk
    assessment, phone home, collects data, sends data to vendor, where goes data, contacts
    internet, who sees data, is it safe, personal data stored`,
  'security.md#What is protected, and how': `
    protection card numbers, protection credentials, protection against mistakes, tls checks, supply chain,
    file permissions, size limits responses, xss page, denial service, protection, threats,
    phone home, call home, usage statistics, tls, dependencies, permissions, cve, network access,
    sends data out, sends data home, internet connections itself, tracking, usage data, other users read files,
    safe against hackers, threats covered, dependencies checked, other users server`,
  "security.md#In anybody's hands": `
    colleague get around, malicious user, threat levels, insider threat, colleague shell access,
    levels protection, agent production, tampering user, stops malicious script, bypassed, levels, insider,
    malicious, agent shell, misuse, attacker, rogue employee, malicious program`,
  'security.md#How secrets go in': `
    type secret, PIN command line, card number argument, shell history, SENSITIVE_IN_ARGV, card number refused,
    secret command line, enter PIN safely, password prompt, reference looks card number, not card number,
    enter secret, pan refused, hidden prompt, type card number, card number typed wrongly place,
    enter number safely, number command, pan command line, password command line, card number shell history,
    refused because looks card number`,
  'security.md#How secrets come out': `
    masked card number, reveal, show number, mask, unmask, clear text number, see CVV,
    bullet characters number, reveal pipe, stars instead digits, number hidden, print PIN,
    secret screen disappears, redacted, show full, stars, screen, debug output, pager, cvv dots, dots output,
    screen recording`,
  'security.md#What stays on disk': `
    files disk, stored, encrypted disk, journal encrypted, plain text, data, data stored, files keep,
    encrypted, store card numbers, files secrets, data saved locally, files cardctl, size data, unencrypted
    data, database files, journal file, local storage, credentials disk, keys disk, data folder, saved, disk,
    written disk, card numbers saved, pins stored, local files, laptop stolen, leftovers, cache, kept locally,
    database content, remains, data rest, persisted, logs contain numbers, card number log, full numbers disk,
    pin saved, data left laptop, card data files, unencrypted files, numbers log files, remember, customer
    data computer, anything confidential saved, data remain laptop, password file, write card data disk, card
    numbers saved on disk, saved on my computer, what is stored, delete traces, files left behind, where is
    data, encrypt disk, pan stored, log contains card number`,
  'security.md#Back up, restore, move': `
    backup, new laptop, move another computer, restore, new machine, lost laptop, migrate data, JOURNAL_MOVED,
    take over, backup file encrypted, age, change computers, copy another pc, old machine broken, move, new
    computer, disk crash, computer broken, restore after crash, hard disk died, move work another machine,
    lost passphrase, passphrase forgotten, move to another computer, restore backup, copy settings, migrate
    machine, export everything`,
  'security.md#Whose key it is': `
    trust machine, fingerprint machine, public key colleague, unknown key, fingerprint, machine key, trust,
    compare keys, compare fingerprints`,
  "security.md#Erase a person's data": `
    gdpr, erase, right forgotten, personal data, delete customer data, privacy request, forget customer,
    article 17, subject access, forget, delete person, remembered customer, dsgvo, erase customer,
    gdpr request, remove customer all files, stays after erasing`,
  'security.md#The audit trail for a collector of logs': `
    splunk, siem, syslog, log collector, elastic, send audit entries server, rfc 5424, rsyslog,
    forward audit log, graylog, elk, export continuously, collector position, collector, qradar, sentinel,
    log shipping`,
  'security.md#What the audit trail proves': `
    tamper, proof, integrity, forged entries, entries removed, hash chain, signature trail, anchor, backdated
    entries, non-repudiation, unsealed entries, audit chain, forensic, immutable log, forged, evidence, edited
    log, deleted entries, trust log, prove unchanged, manipulated, court, manipulated log, log evidence, admin
    change log, protect log changes, log forged, tamper proof, evidence auditor, legally watertight, nobody
    changed records, prove who did it, auditor asks, tamper evidence, who changed the limit, log manipulated,
    revision`,
  'security.md#PCI DSS 4.0.1': `
    PCI, compliance, auditor, requirements, pci audit, card data compliance, requirement 3, pci dss, pci scope,
    sensitive authentication data, qsa, storage PAN, requirement 10, certification, card data standard,
    pci question, auditor asks pci, certified, compliant, auditor asks card data`,
  'security.md#Limits': 'memory dump, secret environment, core dump, not protected, memory, residual risk',
  'security.md#Report a problem': `
    report vulnerability, found security problem, security hole, responsible disclosure, leak found,
    vulnerability, disclosure, security bug, contact security, found vulnerability, leak, bug bounty, report
    bug, security contact, cve`,
  'commands/errors.md': 'list error codes, all error codes, code capitals, code mean, error catalogue',
  'commands/settings.md': `
    all settings, list settings, settings reference, variable reference, name setting, default setting, proxy
    variable, corporate proxy, company proxy, own root certificate, corporate root certificate, company ca,
    extra ca certs, environment variable yes, CARDCTL_YES, all variables, setting name`,
  'commands/webhook-contract.md': `
    response codes, rules endpoint, fields call, fields answer, contract rules, code list, merchant category,
    deadline rule, reversal rules, hold rules, which json you send, what json arrives my endpoint, fields sent
    to my server, what you post, payload posted, body you post, json fields endpoint receives, request format
    my server gets, what a call looks like, structure call, amount field call, currency field call, merchant
    category code, mcc field, what response must look like, what my server answers, shape answer, answer json,
    which fields response, expected reply, reply format, allowed response codes, response code list, must
    respond within, how quickly respond, milliseconds answer, time budget, type of authorisation, mandatory
    fields call, optional fields call, card data in call, id of authorisation, how fast must server respond,
    call times out, how long do I have, timeout of call, 2 seconds`,
  'commands/file-formats.md': 'file formats, suite fields, dialect fields, fields step',
}
