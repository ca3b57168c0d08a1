export const ASKED_OF_PAGES_OF_PERMISSIONS: Readonly<Record<string, string>> = {
  'gate.md': `
    server another user, credentials colleagues never see, jump host, service account, hide token users,
    shared credential, broker, proxy policy, daily limit user, credential no employee sees, keep token away
    staff, central server live access, unix socket user, sending service, privileged daemon, sudo card
    operations, bastion, robot send without secret, hide credential, secret holder, separate user, proxy
    users, secure server, several operators one token, token not visible, daemon token, enforce daily sum,
    users without token, token hidden users, agents without password, shared server holds credential, hide api
    password users, daemon holds secret, robot not see token, central sending point, enforce limits per user
    day, hide token from staff, shared server users, nobody sees credential, central process sends, staff has
    no password, one token for all users`,
  'gate.md#Set it up': `
    cardgate user, socket user, port token container, install gate, systemd gate, socket permissions,
    unit file, install server systemd, user without shell account`,
  'gate.md#What it does': `
    sum day, too refusals, who sent through server, agent through gate, gate limits, refusals minute, gate log,
    caller identity, gate approvals, much user send per day, checked server, who logged sender`,
  'gate.md#What gets past it': `
    weaknesses gate, someone get around server, gate weakness, gate attack, root access, clock attack,
    weak points server, user misuse server`,
  'policy.md': `
    limit colleagues, forbid commands, maximum amount, who send, restrict staff, permissions colleagues, stop
    transfer amount, forbid transfer, who, allow command, largest amount, restrict interns, max amount
    colleagues, forbid closing accounts, only allow reads, who allowed, company rules, admin decides, rules
    users, company policy file, admin restricts commands, allowed machine, /etc/cardctl/policy.yaml,
    POLICY_REFUSED, limit per request, largest sum per day, restrict agent, whitelist hosts, central control,
    governance, permission user, interns only look, cap transfers, read-only team, forbid deletions, refused
    policy, restrict users, permissions, allowed actions, forbid, prohibit, admin rules, guardrails, rights,
    roles, least privilege, nobody close, no deletes, limit staff, limit agents, limit jobs, host wide rules,
    control employees, access control, cap user, stop staff closing accounts, agents only read, nobody delete,
    limit support, interns not, restrict hotline, block dangerous commands, maximum per day user, only certain
    people, employees cannot approve own, disallow production writes, support staff permissions, limit
    employees, rules administrator, forbid command everyone host, staff not delete anything, allow only
    certain operations, roles rights, daily cap each user, prevent people closing something, agents may not
    close, forbid command for team, who may do what, limit what support may do, allow only reads, deny
    deletions, permissions per group, max amount per user, restrict contractors`,
  'policy.md#Where it is, and whose': `
    policy ignored, policy container, policy unreadable, policy path, policy location, /etc/cardctl,
    owner policy, root owned, policy not used, POLICY_INVALID, policy file belong root`,
  'policy.md#What it says': `
    keys policy, syntax policy, sums policy, approvedBy, disclose refuse, policy fields, policy example, sums,
    hosts list, destroy rule, unknown operations, daily limit, amount per day, allow reads refuse writes,
    largest sum per currency, who permit change, hosts allowed`,
  'policy.md#What gets past it': `
    bypass policy, go around policy, circumvent, loophole, policy weakness, safe policy, trick around rules`,
  'four-eyes.md': `
    second person, approval, dual control, maker checker, two people, needs approval, who approve, approval
    rights, approve own request, waiting approval, change wait, second pair eyes, second approver, release
    colleague, sign off, approval workflow, says wants second person, second signature, supervisor confirm,
    double check colleague, segregation duties, dual authorisation, manager approval, confirm another user,
    nobody alone, change request, proposal, four eyes, approval process, approve big amounts, colleague
    confirm, boss approval, supervisor release, large transfer approval, sign-off, manager agree,
    countersignature, two signatures, double check other, colleague approve, large limits need approval,
    approval closing accounts, big transfers need two, approve high credit, release another person, boss
    release big payments, large amounts need colleague, sign-off team lead, two man rule, someone else
    confirm, colleague must confirm, manager approves, approval above amount, two people rule, big amount
    approved, release by supervisor, who may approve`,
  'four-eyes.md#Set it up': `
    folder proposals, who approve, members file, second person deletions, threshold approval, set up approvals,
    list approvers, enable approvals, threshold, amount second person, group approvers, turn second person,
    configure approvers, amount, switch approvals, amount two persons needed`,
  'four-eyes.md#Try it out alone': `
    test approvals myself, simulate two people, try approvals, practise approvals, alone, demo second person`,
  'four-eyes.md#Propose and approve': `
    propose change, proposal expired, proposal edited, long proposal valid, reject colleague's change,
    approve twice, ask colleague, GATE_REFUSED, approve id, hand over change, ask approval, colleague approves,
    send proposal, hand change colleague, release someone prepared, second person`,
  'four-eyes.md#Approve on another machine': `
    approval file, approve home, remote approver, approve laptop, signed approval, other computer,
    approver works remotely, boss no account server`,
  'four-eyes.md#What it protects against, and what not': `
    approve own change, bypass second person, two user ids one person, root approve, cheat, collusion,
    two accounts one person, bypass approval, one person cheat, dual control watertight,
    same person two accounts`,
}
