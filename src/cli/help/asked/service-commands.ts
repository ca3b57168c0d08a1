export const ASKED_OF_SERVICE_COMMANDS: Readonly<Record<string, string>> = {
  'a2a create': `
    send money, move money, transfer between accounts, pay many, transfers from a file, salary file,
    payments from a spreadsheet, pay out, upload payments, columns of the transfer file, give money back,
    book transfers, pay a customer, refund a customer, goodwill payment, transfer with a text,
    many transfers at once, payroll, transfers in euro and dollars, csv of transfers,
    wrong currency in a transfer, transfer to another account, text on the statement,
    message to the recipient, reference text of a transfer, pay out money, batch payment, credit an account,
    move funds between accounts, top up an account, load a prepaid account, send a refund, reimburse,
    transfer file, wire money, internal transfer, book a payment, compensate a customer, bulk payment`,
  'a2a get': `
    transfers of a batch, what is in a batch, which transfers failed, did the transfer arrive,
    to whom did money go, money never arrived, transfer did not arrive, recipient got nothing,
    where is the money, where is a transfer, why did a transfer fail, failed transfers of a batch,
    did everything go through, receipt of a batch, show a batch, transfers inside a batch,
    result of a transfer, reason of a failed transfer, money did not arrive, batch details,
    status of one transfer, export failed transfers`,
  'a2a list': `
    batches, list transfers, batches of last week, transfers of yesterday, all batches, list batches,
    transfer batches, transfers of week, batches week, batches of today, when did I send transfers,
    find a batch, recent transfers, history of transfers, batches by date, find a payment`,
  'a2a plan': `
    prepare transfers, look at transfers first, check a transfer file before sending,
    transfers to approve later, review a transfer file, transfers as a plan, preview of transfers,
    check payments before sending`,
  'a2a status': `
    progress of a batch, is the batch done, batch status, is it booked, is the payment finished,
    state of a batch, batch pending`,
  'a2a watch': `
    wait for a batch, wait until transfers are booked, follow a batch, poll a batch,
    how long until transfers are done, tell me when it is done, wait for transfers,
    until the money is booked, follow the transfers`,
  'accounts block': `
    block an account, stop a card, lost card, stolen card, freeze a card, block a customer, card misused,
    fraud, block the card now, customer reports theft, wallet was stolen, handbag stolen,
    suspicious payments, stop all payments, block until tomorrow, temporary block, card swallowed,
    lock an account, suspend an account, disable a card, put a stop on a card, customer lost the wallet,
    stop payments, card stolen abroad, freeze an account, emergency block, hotlist`,
  'accounts close': `
    close an account, end an account, customer left, customer wants to leave, terminate an account,
    close account for good, customer died, cancel the contract, closed for good, end of contract,
    delete an account, terminate, shut an account, customer cancels, account to close, remove an account,
    death of a customer, ends the relationship`,
  'accounts limit': `
    credit limit, raise limit, lower limit, more credit, set limit of an account, raise credit limit,
    higher credit limit, increase credit limit, raise the credit limit of an account, overdraft, more money,
    increase credit, decrease credit, credit line, set back the limit, change the credit limit,
    more credit for a customer, new limit, cut the limit, limit too low, creditLimit`,
  'accounts patch': `
    change an account, change fields of an account, new address, name of an account, ATM limit,
    daily limit of an account, usage limits, cash limit, invoice by email, direct debit, interest,
    email of an account, phone number of a customer, address of a customer, change of address,
    customer moved, new surname, married, switch to email invoices, cash withdrawal limit,
    spending limit per day, weekly limit, limit abroad, parent account, billing day, edit an account,
    update an address, spending limits, daily cash limit, change the status of an account, change the name,
    customer has moved, new phone number, new email, change invoice settings, usageLimits,
    interest of an account, atm limit per day, limits for online purchases`,
  'accounts reminder': `
    reminder date, dunning, payment reminder, put off a reminder, late invoice, move the payment reminder,
    reminder letter, next reminder, reminderDate`,
  'accounts unblock': `
    unblock an account, card found again, was blocked by mistake, release a block, reactivate,
    open a blocked account, unblock the customer, found the card again, lift the block, remove a block,
    unlock an account, unfreeze, account works again, end the block, card was found, remove the stop`,
  'accounts update-property': `
    update one property, immediate account close, IMMEDIATE_ACCOUNT_CLOSE, special property of an account`,
  api: `
    raw call, path of the service, send any request, GET a path, like curl, unsupported endpoint,
    no command, endpoint without command, operation without command, raw request, custom request,
    request with own headers, add a header, extra header, call an endpoint that has no command,
    endpoint without a command, call a url of the service, do a GET, post json, unsupported operation,
    any http request, post to a path, call an undocumented path, get a url, custom path, own json body,
    show response headers`,
  'cards control-token': `
    control token, token to show card data in a browser, token for a page with the card number,
    token valid 30 seconds, controlToken, token for showing a card, card number in the app,
    iframe with card data, /v4/card controltoken, show card details securely`,
  'cards get': `
    card status, is the card blocked, is the card active, card details, look up a card, card by number,
    name on the card, when does a card expire, expiry date of a card, what is left of the limit,
    remaining limit of a card, how much can the customer spend today, account of a card,
    which account has this card, whose card is this, customer of a card, is a PIN set, card has a PIN,
    wrong PIN tries of a card, where was the card sent, delivery address of a card,
    why was the card declined, payment declined abroad, card does not work, card refused in a shop,
    main or supplementary card, reference number of a card, is the card blocked for a region,
    account belongs to a card, when does the card run out, has the card a PIN, card info,
    what limits has a card, can this card be used abroad, why can the customer not pay, card was declined,
    is this card still valid, is the card closed, name of the cardholder, whose card,
    did the customer get the card, contactless, card is refused, payment did not work, purchase declined,
    region blocked, cash withdrawal declined, look at a card, card information, limits of a card,
    status of a card, card valid until, who owns this card, purchases are declined,
    why does the card not work, remaining amount, card by reference, wrong tries, is it virtual, regions,
    expiry, cardholder name, which product, embossing name`,
  'cards list': `
    cards of a customer, cards of an account, how many cards, all cards, list cards,
    customer number to cards, active cards of a customer, which cards, customer has several cards,
    find cards by customer, cards of a company, cards of a family, card id of a customer,
    forgot the card number, only the last digits, list of cards by account, how many cards has a customer,
    closed cards too, which cards are still active, active cards, all cards of a customer,
    cards of one person, find the card id, search cards, customer's cards, last four digits,
    list virtual cards`,
  'cards payment-info': `
    full card number, whole card number, show number of a card, CVV, CVC, security code,
    expiry date and CVV, card data for an app, show all digits, CVV of a card, CVC of a card, CVV2,
    security code of a card, PAN, complete card number, card details for online shopping,
    virtual card number, expiry and security code, show card number unmasked, reveal a card`,
  'cards plastics': `
    plastic, when was the card produced, was a new card made, renewal of a card, next card,
    replacement ordered, card sent in the mail, old and new plastic, plastic id, damaged card,
    when comes the new card, new card next month, card expires soon, card lost in the mail,
    new card did not come, card not received, chip broken, card worn, expiry of the plastic, physical card,
    replacement card, when was it sent, when was it printed, card production, plastic number, reissue,
    new card in the post, embossed card, delivery of the card`,
  'contract check': `
    does the service match, compare service with contract, conformance of the service, fields that differ,
    test the service against the contract, responses differ, compatibility test, verify an api,
    service conforms`,
  'contract diff': `
    compare two versions of an api, breaking changes, what changed in the openapi document,
    compare openapi files, breaking change, api changed, two specifications, compare with our swagger`,
  'contract export': `
    openapi document of the built-in contract, download the api spec, postman, openapi yaml,
    generate a client, get the openapi file, swagger of cardctl, api specification, generate client code,
    import into postman`,
  'contract import': `
    import openapi, commands from a swagger file, add an operation of my service, own endpoints as commands,
    our own api, generate commands, import swagger, add an openapi document, load a swagger,
    new commands from a file, extend commands`,
  'contract list': `
    imported documents, which contracts are imported, operations with ids, list all operations`,
  'contract map': `
    words of the service, other names for statuses, rename fields, find names of the service,
    mapping of names, draft a dialect`,
  'contract remove': 'remove imported commands, delete an imported contract, remove an openapi document',
  'contract show': `
    describe an operation, fields of a request, schema of an endpoint, which fields can I send,
    what fields has a request, example of a request, documentation of an endpoint, describe a field,
    what does an operation take, request and response of an operation, parameters of an operation,
    allowed values of a field, enum values, example body`,
  find: `
    find by id, what is this number, unknown id, search by reference, find a batch, find a request,
    search a customer, customer reads out a number, number on the letter, which thing has this id,
    paste an id, identify a number, look up anything, search by id, what does this id belong to, trace id,
    batch id, customer number, unknown reference, who is this`,
  'pin set': `
    set a PIN, change PIN, new PIN, choose a PIN, customer forgot PIN, first PIN, PIN never arrived,
    PIN letter not received, wrong PIN chosen, change a PIN, reset the PIN, forgot the PIN, new PIN code,
    assign a PIN`,
  'pin tzpk': `
    key to encrypt a PIN, PIN encryption key, tzpk, transport key, zone PIN key, key for the PIN block,
    public key for a PIN, get tzpk`,
  'pin unblock': `
    PIN blocked, too many wrong PIN tries, reset PIN tries, PIN locked, unlock PIN, PIN tries left,
    PIN wrong three times, PIN is blocked, atm says PIN blocked, three wrong PINs, reset the counter,
    too many tries, PIN try counter`,
  'pin view': `
    show PIN, see PIN, tell the customer the PIN, read PIN, what is the PIN, PIN reminder,
    customer wants to know the PIN, remind the PIN, PIN letter lost, show the PIN,
    remind customer of the PIN, read the PIN, reveal a PIN`,
  'pincontrol create': `
    control id, what is a control id, id for a PIN operation, controlId, one-time id for a PIN, scope set,
    scope view, start a PIN change`,
  'pricelists delete': 'remove a price list, delete a price list, remove tariffs',
  'pricelists patch': `
    rename a price list, code of a price list, edit a price list, change the name of a price list,
    update a tariff`,
  'pricelists period delete': `
    cancel a planned price change, remove a price period, delete a future price, cancel a price change`,
  'pricelists period patch': `
    change a price, change a fee, interest rate, new price from a date, value of a period,
    lower rate for a customer, new price, change interest, adjust a fee, change a tariff,
    price from next month, annual fee`,
  'remotecheckout delete': `
    remove from click to pay, delete enrolment, end remote checkout, end click to pay, unenrol,
    remove an enrolment, delete a customer from checkout`,
  'remotecheckout enroll': `
    enrol for click to pay, register a card for remote checkout, add a card to click to pay, click to pay,
    enrol a card, sign up for remote checkout, register for online checkout, src, secure remote commerce,
    add a card to checkout`,
  'remotecheckout get': `
    is the customer enrolled, cards in click to pay, show enrolment, show enrolled cards,
    enrolment of a customer, is click to pay active`,
  'remotecheckout status': `
    trace id, outcome of an enrolment, did enrolment work, result of an enrolment, status of a trace,
    did the enrolment succeed, traceId`,
  'remotecheckout traces': 'open enrolments, traces, list of enrolment operations, pending enrolments',
  'remotecheckout update': `
    change email of an enrolled customer, change phone of an enrolled customer, update click to pay,
    deactivate click to pay, new card expiry in checkout, change data of an enrolled customer,
    update the email, update the phone, suspend click to pay`,
  'wallets provision': `
    apple pay, google pay, add card to phone, mobile wallet, push provisioning, wallet data, samsung pay,
    tokenisation, card on the phone, digital wallet, in-app provisioning, smartwatch, add to wallet`,
}
