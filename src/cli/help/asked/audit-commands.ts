export const ASKED_OF_AUDIT_COMMANDS: Readonly<Record<string, string>> = {
  'audit anchor': `
    anchor, proof audit trail, notarise, prove state trail, timestamp log, store digest elsewhere,
    daily anchor, proof later, external proof, timestamp proof, daily hash, hash elsewhere, checkpoint log,
    proof nobody edited later, protect against rewriting log, value prove later nothing removed,
    keep fingerprint log elsewhere, notarise trail, daily proof log`,
  'audit begin': `
    start audit trail again, restart trail, trail broken, new chain, new trail, fresh log, new log key,
    leaked log key, archive trail, start fresh log new key, trail damaged new one, key log stolen`,
  'audit export': `
    export audit, audit log collector, SIEM, syslog, stream audit trail, forward splunk,
    send entries collector, rfc5424, log siem, send log, ship log, syslog export, full log, log file auditor,
    stream log, splunk forwarder, elastic ingest, fluentd, logstash, graylog, rfc 5424, follow log,
    evidence export, give auditor data, send entries log server, give log auditors, stream siem,
    send entries syslog, copy log, stream audit events collector, hand log auditor, logs elastic splunk,
    forward audit events continuously`,
  'audit key': `
    seal key, sign audit trail, export key trail, audit key, log signing key, keyring audit, move signing key,
    protect log key, log key out file`,
  'audit list': `
    who did, audit log, actions user, disclosures, who looked, who viewed, showed pin, revealed, who revealed,
    who logged, did agent, entries yesterday, log disclosures, entries audit trail, refused actions,
    security log, who approved, who saw, who deleted, who read pin, employee activity, snooping,
    unauthorised access, access log, privacy audit, trace person, agent activity, all environments, whom,
    refused attempts, policy refusals, settings changes, who changed profile, who opened card data,
    colleague snooping, all actions bo, every access, list approvals, who erased data, who exported data,
    changes admin, who loosened profile, audit last week, suspicious employee, who touched production,
    colleague touched card, person looked pin, show all changes one employee, see who approved something,
    list actions agent, everything happened production, accesses customer data, activity user`,
  'audit prune': `
    old audit entries, shrink audit trail, trail too big, archive trail, retention audit trail, trim log,
    shorten log, old log entries, log retention, log size, archive old entries, delete log, log too big,
    throw away log entries older year, remove old entries trail`,
  'audit verify': `
    log tampered, check audit trail, chain broken, integrity log, tampered, audit tampered,
    somebody changed log, log complete, log manipulated, trail intact, validate chain, tamper check,
    integrity check, detect changes log, log intact, log forged, hash chain, seal, missing entries, edited log,
    deleted lines, prove unchanged, trust log, check signature log, log not changed, prove log unaltered,
    detect manipulation, entries removed, trail complete, detect deleted entries, signature trail all right`,
  'data erase': `
    erase person, right forgotten, delete kept customer, gdpr request, forget customer, delete personal data,
    delete one customer's records, forget person, gdpr deletion, right erasure, privacy deletion, gdpr erase,
    remove customer traces, purge person, data subject request, wipe card data, delete customer data here,
    remove everything customer, customer asks deletion, forget card, remove personal data somebody,
    delete know person, privacy request, purge customer local files`,
  'data export': `
    backup, copy journal, take data new machine, new computer, disk replaced, back up, save journal,
    copy new machine, encrypted backup, save everything, move computer, new laptop, migrate machine,
    archive data, before reinstall, back up before update, make backup, copy data before reinstalling,
    encrypted archive journal`,
  'data import': `
    restore backup, take data over old computer, restore, load backup, take over lost machine, bring back data,
    take over, after disk crash, import archive, restore new laptop, passphrase backup, load data old computer,
    bring journal over`,
  'data keys': `
    key machine, trust key, fingerprint machine, keys colleagues, distrust key, trust machine, fingerprint,
    exchange keys, trust another computer, machines believe`,
  'data remove': `
    remove all data, delete everything machine, clean computer, leave nothing behind, wipe, clean up laptop,
    give back computer, leave company, delete all files cardctl, factory reset, remove everything,
    clean machine, before hand laptop, delete all data, before uninstall, remove traces, decommission laptop,
    wipe local data, reset everything, remove every file, clean before return laptop,
    clean up before uninstalling, delete all local files, leave no trace`,
  'data where': `
    files, location journal, data folder, disk space, kept, config file, logs, folder, everything,
    storage location, paths, size files, list files, find database, config path, log location, file locations,
    data directory, disk usage, stored files, journal, database, recordings, size disk, hidden files,
    config location, data kept, path journal, recordings folder, put files, much space, files write,
    location database, stored computer, folders program`,
}
