export const ASKED_OF_CARD_COMMANDS: Readonly<Record<string, string>> = {
  'cards control-token': `
    control token, token show card data browser, token page card number, token valid 30 seconds, controlToken,
    token showing card, card number app, iframe card data, /v4/card controltoken, show card details securely,
    show card app, card number screen customer, iframe, secure display, reveal widget, customer portal,
    token app, short lived token, display pan cardholder, show card number customer's app,
    display card data web page, token browser, cardholder see number phone, secure page card details`,
  'cards get': `
    transactions of card, card transactions, card status, card blocked, card active, card details, card number, name card, card expire, left limit,
    much customer spend today, account card, whose card, customer card, PIN set, card PIN, card sent, card
    declined, payment declined abroad, main supplementary card, card run out, card info, limits card, card
    used abroad, card closed, name cardholder, did customer get card, contactless, card refused, payment did
    not work, purchase declined, region blocked, cash withdrawal declined, look card, card information, who
    owns card, remaining amount, card reference, wrong tries, virtual, regions, expiry, product, embossing
    name, card state, card inactive, valid until, expiry month, card works, card broken abroad, card not
    accepted, purchase impossible, cannot pay, cannot withdraw, cannot shop online, refused checkout, refused
    shop, blocked country, outside europe, travel abroad, travelling, trip, airport, online blocked,
    contactless off, atm refused, remaining limit, spent today, left spend, much left, used limit, available
    amount card, pin attempts left, pin letter address, card holder, card owner, product card, replaced,
    replacement number, activation, not activated, first, card refused petrol station, pay abroad, pay
    america, card asia, card thailand, payment night refused, no cash, cash machine gives nothing, card says
    invalid, chip not read, tap not work, card went old address, sent address, delivery wrong street,
    replacement sent, card replaced, card valid, much spent, cash left today, reached daily limit, over limit,
    pin blocked, tries left, card type, balance customer, wrong card, can't pay, address card, wrong attempts
    customer made, much spent card today, taken out cash machine, used other countries, internet shopping
    allowed card, contactless not work, substitute card ordered, look up card number customer reads out,
    letters card go, show everything card, see region settings card, which account belongs to card, account
    behind card, new plastic different address, card to other address, where does card go, address of card,
    delivery address card`,
  'cards list': `
    cards customer, cards account, cards, all cards, list cards, cards company, cards family, only last digits,
    closed cards too, active cards, search cards, last four digits, cards person, extra card, second card,
    partner card, child card, number cards, old cards, last four, ending 1234, card unknown, find card,
    export cards, card overview, cards status, two cards one, card wife, cards expire,
    customer knows last digits only, find customer, number ends, get card ids, husband card too,
    find card last digits, cards were issued customer, customer not know card number, show extra cards family`,
  'cards payment-info': `
    card number, CVV, CVC, security code, card data app, CVV card, CVC card, CVV2, PAN,
    card details online shopping, reveal card, security number, back card, number, complete number, full pan,
    pan clear, number online shop, expiry cvv, unmasked number, reveal number, encrypted pan, type number,
    pay online details, cannot read card number, number rubbed off, read out cvv, card not hand number,
    number hotel booking, number before card arrives, expiry date number full, customer wants type number shop,
    read complete pan, code reverse side`,
  'cards plastics': `
    plastic, card produced, new card made, renewal card, next card, replacement ordered, old new plastic,
    plastic id, damaged card, comes new card, new card next month, card expires soon, new card did not come,
    card not received, chip broken, card worn, expiry plastic, physical card, replacement card, sent, printed,
    card production, plastic number, reissue, new card post, embossed card, delivery card, new card printed,
    card way, card mail, shipping card, courier, post lost card, parcel card, envelope, bent card,
    scratched chip, magnetic stripe broken, second plastic, card order, manufacture, dispatch date,
    card not mailbox, waiting card, card arrive, card sent two weeks ago, card stuck customs, lost mail,
    card torn, card not fit, reordered card, customer got two cards, automatic renewal, card sent post,
    card broken not work terminal, replacement, plastic valid, chip damaged`,
  'pin set': `
    set PIN, change PIN, new PIN, choose PIN, first PIN, PIN never arrived, reset PIN, forgot PIN, assign PIN,
    another pin, forgot code, cannot remember pin, pin lost, pick pin, initial pin, replace pin,
    pin compromised, someone knows pin, pin four digits, wish pin, personal code, secret number, pin phone,
    not know code, can't remember code, code cash machine, wants easier pin, card without pin,
    pin letter opened, order pin letter, customer not know PIN, give card different secret code,
    choose another pin code, pin seen somebody, set four digits card, change number cash machines,
    possible pick pin oneself`,
  'pin tzpk': `
    tzpk, transport key, get tzpk, pin key, terminal key, zone key, wrap key, key wrapped public key phone`,
  'pin unblock': `
    PIN blocked, reset PIN tries, PIN locked, unlock PIN, PIN tries left, atm says PIN blocked,
    three wrong PINs, reset counter, too tries, PIN try counter, code entered wrong, pin error till,
    retry counter, attempts used up, pin tries exceeded, unlock code, wrong code three times,
    cash machine says pin, pin refused, response 75, typed pin wrong, pin typed incorrectly, used wrong code,
    code blocked, cash machine locked pin, pin not work, pin disabled, after three attempts,
    card asks pin refuses, unlock after wrong pin, pin entered incorrectly too often,
    machine says too attempts, reset attempts, pin not work after three tries, counter wrong entries back zero,
    customer guessed code too times, cash machine refuses because pin`,
  'pin view': `
    show PIN, see PIN, read PIN, PIN, PIN reminder, customer wants know PIN, remind PIN, PIN letter lost,
    reveal PIN, tell pin, display code, customer asks pin, pin app, send pin again, current pin, customer
    wants pin again, look pin, resend pin, code card, show secret code app, see secret code again, see pin
    again, forgot pin see again, show it again, look up pin, read pin out`,
  'pincontrol create': `
    control id, id PIN operation, controlId, one-time id PIN, scope set, scope view, start PIN change,
    start pin session, pin scope, authorise pin view, 30 seconds id, controlId expired, id valid half minute,
    permission pin view`,
  'remotecheckout delete': `
    remove click pay, delete enrolment, end remote checkout, end click pay, unenrol, remove enrolment,
    delete customer checkout, leave click pay, unenroll, remove checkout, stop one click, opt out,
    customer not click pay, take card out click pay, unsubscribe remote checkout,
    remove card online checkout profile`,
  'remotecheckout enroll': `
    register card remote checkout, add card click pay, click pay, enrol card, sign up remote checkout,
    register online checkout, src, secure remote commerce, add card checkout, one click payment,
    online checkout registration, enroll customer, src enrolment, opt, customer wants pay online one click,
    register card network e-commerce, sign card up online checkout, add customer click pay`,
  'remotecheckout get': `
    customer enrolled, cards click pay, show enrolment, show enrolled cards, enrolment customer,
    click pay active, enrolled, registered checkout, click pay data, checkout email, checkout phone,
    cards checkout, member, see email click pay`,
  'remotecheckout status': `
    trace id, outcome enrolment, did enrolment work, result enrolment, status trace, did enrolment succeed,
    traceId, enrolment failed, checkout trace, outcome registration, still enrolling, did registration work,
    happened enrolment, check trace id checkout`,
  'remotecheckout traces': `
    open enrolments, traces, list enrolment operations, pending enrolments, open registrations,
    running enrolments, pending checkout operations, unfinished traces, registrations not ended,
    unfinished enrolments`,
  'remotecheckout update': `
    change email enrolled customer, change phone enrolled customer, update click pay, deactivate click pay,
    change data enrolled customer, update email, update phone, suspend click pay, checkout email changed,
    checkout phone changed, deactivate checkout, activate checkout, new expiry checkout, renewed card checkout,
    pause one click, new mobile number click pay, customer another email checkout, pause click pay customer,
    card renewed checkout old date, change email of click to pay customer, click to pay email wrong,
    new email for click to pay, new phone for click to pay`,
  'wallets provision': `
    apple pay, google pay, mobile wallet, push provisioning, wallet data, samsung pay, tokenisation,
    card phone, digital wallet, in-app provisioning, smartwatch, add wallet, apple wallet, google wallet,
    iphone, android phone, apple watch, garmin, fitbit, nfc phone, pay phone, phone payment, tap phone,
    device token, token phone, provisioning payload, wallet broken, new handset, changed phones,
    card not wallet, push wallet, wallet payload, put card iphone, pay watch,
    customer bought another phone wants pay, add card mobile wallet, phone payments not work,
    encrypted pass data, tokenise card device`,
}
