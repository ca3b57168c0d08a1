import {convert} from '../../money/example-rates.ts'
import {type Account, available, type Customer} from '../accounts/account.ts'
import type {Card, RegionBlocking} from '../cards/card.ts'
import {conflict, existing} from '../problems.ts'
import type {Transaction} from '../store/store.ts'
import type {Hold} from './authorisation.ts'
import {type Decline, declinedByState} from './card-state.ts'
import {declinedByLimit} from './limits.ts'
import {isEcommerce, type Purchase, takesMoney, usesPin} from './purchase.ts'

/** Card, account and customer of a purchase, and its amount in the account's currency. */
export interface Parties {
  readonly card: Card
  readonly account: Account
  readonly customer: Customer | undefined
  /** Of the hold. Without a hold, of the purchase if the account has it, else the first currency of the account. */
  readonly currency: string
  /** In that currency, minor units; undefined if there is no exchange rate. */
  readonly billing: bigint | undefined
}

/**
 * @param hold the transaction's existing hold, which determines the currency.
 * @throws Problem 404 for an unknown card.
 */
export async function partiesOf(
  tx: Transaction,
  purchase: Pick<Purchase, 'cardId' | 'currency' | 'minor'>,
  hold?: Hold,
): Promise<Parties> {
  const card = existing(await tx.cards.get(purchase.cardId), 'card')
  const account = existing(await tx.accounts.get(card.accountId), 'account')
  const [first = purchase.currency] = account.currencies
  const own = account.currencies.includes(purchase.currency) ? purchase.currency : first
  const currency = hold?.currency ?? own
  return {
    card,
    account,
    customer: await tx.customers.get(card.customerId),
    currency,
    billing: convert(purchase.minor, purchase.currency, currency),
  }
}

/**
 * The hold that a purchase raises. A credit names its transaction, but doesn't change the hold.
 *
 * @throws Problem 404 for an unknown transaction; 409 if it belongs to another card or has no hold.
 */
export async function holdToRaise(tx: Transaction, purchase: Purchase): Promise<Hold | undefined> {
  const {cardId, transactionId} = purchase
  if (transactionId === undefined) return undefined
  const [first] = await tx.authorisations.list({where: {transactionId}, limit: 1})
  const earlier = existing(first, 'transaction')
  if (earlier.cardId !== cardId) throw conflict('another-card', 'The transaction belongs to another card.')
  if (!takesMoney(purchase)) return undefined
  const hold = await tx.holds.get(transactionId)
  if (hold?.status !== 'HELD') throw conflict('not-held', 'The transaction has no hold to raise.')
  return hold
}

/** The issuer's own checks, in order. The endpoint is not asked about a purchase that they decline. */
export async function declineOf(
  tx: Transaction,
  purchase: Purchase,
  {card, account, customer, currency, billing}: Parties,
  now: number,
): Promise<Decline | undefined> {
  const byState = declinedByState(card, account, now)
  if (byState) return byState
  if (billing === undefined) return {code: '57', reason: `no exchange rate for ${purchase.currency}`}
  const home = customer?.countryCode ?? ''
  const region = blockedRegion(
    card.regionAndEcommBlocking,
    purchase.merchant.country,
    home,
    isEcommerce(purchase),
  )
  if (region !== undefined) return {code: '62', reason: `the card is blocked for ${region}`}
  if (takesMoney(purchase)) {
    const inLimits = convert(billing, currency, account.currencies[0] ?? currency) ?? billing
    const byLimit = await declinedByLimit(tx, card, account, purchase, inLimits, now)
    if (byLimit) return byLimit
  }
  const byPin = await declinedByPin(tx, card, purchase)
  if (byPin) return byPin
  if (!takesMoney(purchase) || isCheckedElsewhere(account)) return undefined
  const enough = (await available(tx, account, currency)) >= billing
  return enough ? undefined : {code: '51', reason: 'insufficient funds'}
}

/** Whether the client's endpoint checks the balance. For a debit account, the key BALC turns off our own check. */
function isCheckedElsewhere({members}: Account): boolean {
  const values = members.additionalValues as readonly {key: string; value: unknown}[] | undefined
  const isOff =
    values?.some(({key, value}) => key === 'BALC' && (value === true || value === 'true')) ?? false
  return members.externalBalanceCheck === true || isOff
}

/** Counts wrong PINs, resets the count after a right one, and declines when no tries are left. */
async function declinedByPin(tx: Transaction, card: Card, purchase: Purchase): Promise<Decline | undefined> {
  if (purchase.data.transactionType === 'PIN_UNBLOCK') {
    await setCounter(tx, card, 0)
    return undefined
  }
  if (!usesPin(purchase)) return undefined
  const {counter, max} = card.pinAttempts
  if (counter >= max) return {code: '75', reason: 'no PIN tries are left'}
  if (!purchase.wrongPin) {
    if (counter > 0) await setCounter(tx, card, 0)
    return undefined
  }
  await setCounter(tx, card, counter + 1)
  return {code: '55', reason: `the PIN was wrong, ${counter + 1} of ${max} tries`}
}

async function setCounter(tx: Transaction, card: Card, counter: number): Promise<void> {
  await tx.cards.put({...card, pinAttempts: {...card.pinAttempts, counter}})
}

/**
 * The block of the card that applies to a purchase, if any.
 * @param country of the merchant, alpha-3; an unknown one is in no region.
 * @param home country of the cardholder: `home` blocks it, its continent doesn't.
 */
function blockedRegion(
  blocking: RegionBlocking,
  country: string | null | undefined,
  home: string,
  isEcommerce: boolean,
): keyof RegionBlocking | undefined {
  if (isEcommerce && blocking.ecomm) return 'ecomm'
  const region = country === home ? 'home' : regionOf.get(country ?? '')
  return region !== undefined && blocking[region] ? region : undefined
}

type Region = Exclude<keyof RegionBlocking, 'home' | 'ecomm'>

/** ISO 3166-1 alpha-3 codes by continent (UN M49). North America includes Central America. */
const countries: Readonly<Record<Region, string>> = {
  europe: `ALA ALB AND AUT BEL BGR BIH BLR CHE CZE DEU DNK ESP EST FIN FRA FRO GBR GGY GIB GRC HRV HUN IMN IRL ISL ITA
    JEY LIE LTU LUX LVA MCO MDA MKD MLT MNE NLD NOR POL PRT ROU RUS SJM SMR SRB SVK SVN SWE UKR VAT`,
  africa: `AGO BDI BEN BFA BWA CAF CIV CMR COD COG COM CPV DJI DZA EGY ERI ESH ETH GAB GHA GIN GMB GNB GNQ IOT KEN LBR
    LBY LSO MAR MDG MLI MOZ MRT MUS MWI MYT NAM NER NGA REU RWA SDN SEN SHN SLE SOM SSD STP SWZ SYC TCD TGO TUN TZA UGA
    ZAF ZMB ZWE ATF`,
  asia: `AFG ARE ARM AZE BGD BHR BRN BTN CHN CYP GEO HKG IDN IND IRN IRQ ISR JOR JPN KAZ KGZ KHM KOR KWT LAO LBN LKA MAC
    MDV MMR MNG MYS NPL OMN PAK PHL PRK PSE QAT SAU SGP SYR THA TJK TKM TLS TUR TWN UZB VNM YEM`,
  oceania: `ASM AUS CCK COK CXR FJI FSM GUM HMD KIR MHL MNP NCL NFK NIU NRU NZL PCN PLW PNG PYF SLB TKL TON TUV UMI VUT
    WLF WSM`,
  northAmerica: `ABW AIA ATG BES BHS BLM BLZ BMU BRB CAN CRI CUB CUW CYM DMA DOM GLP GRD GRL GTM HND HTI JAM KNA LCA MAF
    MEX MSR MTQ NIC PAN PRI SLV SPM SXM TCA TTO USA VCT VGB VIR`,
  southAmerica: 'ARG BOL BRA BVT CHL COL ECU FLK GUF GUY PER PRY SGS SUR URY VEN',
}

const regionOf = new Map(
  (Object.keys(countries) as Region[]).flatMap(region =>
    countries[region].split(/\s+/).map(country => [country, region] as const),
  ),
)
