export const ASKED_OF_PAGES_OF_SECURITY: Readonly<Record<string, string>> = {
  'security.md': `
    security, is it safe, secrets, encryption, phones home, threat model, security review, protect data,
    new laptop, new computer, move laptop, copy journal, tampered log, log tampered, splunk, siem, syslog,
    personal data, gdpr, delete all data, another machine, backup, where are passwords kept,
    card numbers in logs, keyring, phone home, send data anywhere, does it call the internet,
    usage statistics, tracking, can it leak card numbers, is it secure, does it send data home,
    where do passwords go, pentest, risk, data protection officer, encryption at rest, is my data safe,
    how are secrets protected, data protection, information security questionnaire, supplier audit,
    is it audited, vulnerability, hardening, what leaves the machine, compliance evidence, access control,
    leaks, attack surface, trust, home calls, what does it store, confidentiality`,
  'security.md#What is protected, and how': `
    protection of card numbers, protection of credentials, protection against mistakes, tls checks,
    supply chain, file permissions, size limits of responses, xss on the page, denial of service`,
  "security.md#In anybody's hands": `
    can a colleague get around it, malicious user, threat levels, insider threat,
    colleague with shell access, levels of protection, agent on production, tampering by a user,
    what stops a malicious script, can it be bypassed`,
  'security.md#How secrets go in': `
    type a secret, PIN on the command line, card number as argument, shell history, SENSITIVE_IN_ARGV,
    card number refused, secret on the command line, enter a card number safely, enter a PIN safely,
    password prompt, reference looks like a card number, not a card number`,
  'security.md#How secrets come out': `
    masked card number, reveal, show the whole number, mask, hidden digits, unmask, show hidden digits,
    clear text number, show the full number, see the CVV, masking, bullet characters in a number,
    reveal in a pipe, stars instead of digits, number is hidden, print a PIN, secret screen disappears,
    redacted`,
  'security.md#What stays on disk': `
    files on disk, what is stored, encrypted on disk, is the journal encrypted, plain text, where is data,
    where is my data stored, which files does it keep, keep files, is it encrypted,
    does it store card numbers, files with secrets, encrypt the journal, which data is saved locally,
    files of cardctl, size of the data, unencrypted data, database files, journal file, local storage,
    credentials on disk, keys on disk, what is in the data folder`,
  'security.md#Back up, restore, move': `
    backup, new laptop, move to another computer, restore, new machine, lost laptop, migrate my data,
    JOURNAL_MOVED, take over, backup file encrypted, age, change computers, copy to another pc,
    old machine broken`,
  'security.md#Whose key it is': `
    trust a machine, fingerprint of a machine, public key of a colleague, key of another machine,
    unknown key`,
  "security.md#Erase a person's data": `
    gdpr, erase, right to be forgotten, personal data, delete customer data, privacy request,
    forget a customer, article 17, remove personal data, subject access`,
  'security.md#The audit trail for a collector of logs': `
    splunk, siem, syslog, log collector, elastic, send audit entries to a server, rfc 5424, rsyslog,
    forward the audit log, graylog, elk, export continuously, collector position`,
  'security.md#What the audit trail proves': `
    tamper, proof, integrity, forged entries, can entries be removed, hash chain, signature of the trail,
    anchor, somebody edited the log, backdated entries, non-repudiation, unsealed entries, audit chain,
    forensic, immutable log`,
  'security.md#PCI DSS 4.0.1': `
    PCI, compliance, auditor, requirements, pci audit, card data compliance, requirement 3, pci dss,
    pci scope, sensitive authentication data, qsa, storage of PAN, requirement 10`,
  'security.md#Limits': 'memory dump, secret in the environment, core dump',
  'security.md#Report a problem': `
    report a vulnerability, found a security problem, security hole, responsible disclosure, leak found`,
  'when-things-go-wrong.md': `
    error, exit code, what now, problem, broken, does not work, error message, port in use, failed,
    troubleshooting, which exit code, what happens on timeout, too many requests, nothing works,
    exit code mean, something went wrong, exit status, exit 1, exit 2, exit 3, exit 4, exit 5, exit 6,
    exit 7, exit 8, exit 9, exit 12, exit 13, exit 14, exit 17, address already in use, EADDRINUSE,
    connection refused, ECONNREFUSED, forbidden, 401, 403, 404, what does this error mean, it failed, help,
    cannot connect, command fails, retry or not, port already in use, certificate error, permission denied,
    another cardctl is running, locked, lock file, database is locked, problem solving, it does not work,
    error explained, meaning of exit codes, what should I do now, help with an error, list of errors,
    exit status table, diagnosis, command ended with an error, strange error, got an error, return codes,
    error numbers, cannot connect to the service, unauthorised, not found, refused, rate limit error,
    service down, timed out, certificate not trusted, wrong credentials`,
  'when-things-go-wrong.md#Exit 10: the effect is unknown': `
    effect unknown, timeout, lost connection, exit 10, EFFECT_UNKNOWN, response got lost,
    connection closed before the answer, do not know if it worked, sent or not, may I repeat it,
    was the transfer carried out`,
  'when-things-go-wrong.md#Why a bulk run ended': `
    bulk run ended, run aborted, why did it stop, bulk run failed, cause of a failed run, every row failed,
    job ended with exit 13, DISK_FULL, RATE_LIMITED, TLS_FAILED, CONNECTION_FAILED, SERVICE_FAULT,
    proxy refuses, dns error, host not found, getaddrinfo, html login page, redirect`,
  'when-things-go-wrong.md#Nothing works, or something was changed by mistake': `
    changed something by mistake, damaged file, report a bug, send a bug report, ask for help, contact,
    undo a mistake, completely stuck`,
}
