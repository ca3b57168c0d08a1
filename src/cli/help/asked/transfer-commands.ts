export const ASKED_OF_TRANSFER_COMMANDS: Readonly<Record<string, string>> = {
  'a2a create': `
    send money, move money, transfer between accounts, pay, transfers file, salary file, payments spreadsheet,
    pay out, upload payments, give money back, book transfers, pay customer, refund customer, goodwill
    payment, transfer text, transfers once, payroll, transfers euro dollars, csv transfers, wrong currency
    transfer, transfer another account, text statement, message recipient, batch payment, credit account, move
    funds between accounts, top up account, load prepaid account, send refund, reimburse, wire money, internal
    transfer, book payment, compensate customer, bulk payment, settle debt, split bill, pay invoice, monthly
    wages, staff expenses, cashback payout, voucher amount, correct booking, reverse payment hand, return
    overpayment, refund fee, reimburse cash machine fee, move credit balance, empty account, shift funds,
    remittance text, payment reference, purpose payment, standing order, sepa file, pain.001, disbursement,
    credit wallet, deposit money, cash, top-up file, amount cents, payee account, send 100 euros, pay several
    people, mass payout, payments csv, resend failed payments, only unsent payments, another currency payment,
    same currency, foreign currency transfer, payout batch, settlement file, pay twice purpose, wire money
    another customer, upload salaries, money account account, payout accounts, send same file only once,
    correct wrong posting, book adjustment, goodwill after complaint, transfers clipboard, move rest balance,
    customer got too little money, pay difference, negative amount payment file, one transfer hand, amount
    account, give customer 20 euros, sender account receiver account, two transfers one command, payment date
    file, iban payment file, description batch, total payment file, pay money one account another, transfer 50
    euro between two customers, shift balance savings current account, compensate somebody mistake, pay
    salaries spreadsheet, send list payments one go, move funds after wrong booking, make payout client, book
    money onto prepaid card, load money card, put amount onto account customer, run payments month, pay back
    overpaid amount, owe customer 20 euro, only send rows did not go out yet, send failed payments once more,
    columns payments file, payout file, pay many people, payments file, cron payout, transfer list, pay
    suppliers, pay thirty people`,
  'a2a get': `
    transfers batch, batch, transfers failed, did transfer arrive, money never arrived,
    transfer did not arrive, recipient got nothing, money, transfer, did everything go through, receipt batch,
    show batch, result transfer, batch details, status one transfer, payment arrived, money got,
    payment bounced, payment rejected reason, returned payment, credited not, missing money, payee did not get,
    trace payment, transfer details, sender recipient, payment text, booked amount, batch content,
    failed rows batch, unpaid rows, download failed payments, payment confirmation, bank statement entry,
    insufficient funds transfer, closed account transfer, who paid, receiver money, did money go,
    money account, did payment not arrive, customer says payment missing, state each transfer,
    money debited not credited, transfer came back, reason failed payment, payment sent whom,
    look sent payment, check paid, did payment reach other account, who received money,
    payments file were rejected, the recipient says nothing has come in, check details payment made,
    get file payments failed, money debited, account taken, look up batch 88001, proof paid,
    money went to wrong person`,
  'a2a list': `
    batches, list transfers, transfers yesterday, all batches, list batches, transfer batches, transfers week,
    batches week, batches today, did send transfers, find batch, recent transfers, history transfers,
    batches date, find payment, payment history, sent payments, last batch, earlier batches, payments month,
    all payouts, outgoing payments, paid, payments between dates, search payments, past transfers,
    newest batches, payment runs, transfers since monday, batch id lost, don't know batch number,
    forgot batch id, payments went out, did pay already week, list payouts day, overview transfers,
    payments made last days, batches did send, overview all payment runs, went out monday,
    last payment file sent, find transfer last month, everything transferred week`,
  'a2a plan': `
    prepare transfers, look transfers first, check transfer file before sending, transfers approve later,
    review transfer file, transfers plan, preview transfers, check payments before sending,
    check payments first, payment proposal file, prepare payout, review payouts, pay later, rehearse payout,
    inspect before paying, payments approval, transfers reviewed colleague, see totals before sending,
    dry run transfers, payment file looked over before goes out, colleague look payments first,
    test payments file without paying, paid send file, preview payment run, write payments file send later`,
  'a2a status': `
    progress batch, batch done, batch status, booked, payment finished, state batch, batch pending,
    payment pending, still processing, transfer progress, settled yet, booked yet, payout finished,
    stuck batch, batch hangs, percent done, open transfers, paid yet, long until booked, batch still open,
    transfer not finished, all transfers done, money sent yet, payment still progress, far payment run,
    batch settled, pending complete, transfers left batch`,
  'a2a watch': `
    wait batch, wait until transfers booked, follow batch, poll batch, long until transfers done, tell done,
    wait transfers, until money booked, follow transfers, wait settlement, until settled, notify paid,
    block until paid, poll payments, follow payout, settlement takes long, wait ci, give up after ten minutes,
    wait till money arrives, exit batch done, alert transfers fail, tell soon payment through,
    wait script until transfers settled, keep looking until batch finished, long payment take,
    stop script payment fails, block until booked`,
  apply: `
    send plan, apply plan, execute plan, run plan, carry out plan, execute exactly, send reviewed changes,
    release plan, stale plan, expired plan, plan id, go ahead plan, commit plan, carry out reviewed,
    execute prepared changes, run approved file, push planned changes service`,
  'mappings list': `
    column mappings, saved mapping spreadsheet, column mapping name, saved mappings, stored columns,
    named layouts, remembered spreadsheets, saved spreadsheet layouts`,
  'mappings remove': `
    delete mapping, forget mapping, drop layout, forget saved column mapping, delete stored layout`,
  'plan show': `
    look plan, content plan, plan change, read plan, review plan, plan markdown, plan file, open plan,
    view plan, plan html, before values, reviewer view, plan contain, print plan reviewer`,
}
