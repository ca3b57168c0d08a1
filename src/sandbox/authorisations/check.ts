import {convert} from '../../money/index.ts'
import type {Customer} from '../accounts/account.ts'
import {type Account, available} from '../accounts/account.ts'
import type {Card, RegionBlocking} from '../cards/card.ts'
import {conflict, notFound} from '../problems.ts'
import type {Transaction as StoreTransaction} from '../store/store.ts'
import type {Hold} from './authorisation.ts'
import {type Refusal, refusedByState} from './card-state.ts'
import {refusedByLimit} from './limits.ts'
import {isEcommerce, type Transaction, takesMoney, usesPin} from './transaction.ts'

type Region = Exclude<keyof RegionBlocking, 'home' | 'ecomm'>

/** ISO 3166-1 alpha-3 codes by continent, as the United Nations (M49) sorts them; Mexico and south of it to Panama are north. */
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

/**
 * Whether the card's blocks keep it from this purchase, and which.
 * @param country of the merchant, alpha-3; an unknown one is in no region.
 * @param home of the cardholder: blocked by `home` alone, not by its continent.
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

/** Card, account and customer of a purchase, and what it comes to in the account's currency. */
export interface Parties {
  readonly card: Card
  readonly account: Account
  readonly customer: Customer | undefined
  /** The hold's, else the transaction's own if the account has it, else the account's first. */
  readonly currency: string
  /** In that currency, minor units; undefined when there is no rate. */
  readonly billing: bigint | undefined
}

/**
 * @param hold what the transaction holds already: its currency is kept.
 * @throws Problem 404 for an unknown card.
 */
export async function partiesOf(
  tx: StoreTransaction,
  purchase: Pick<Transaction, 'cardId' | 'currency' | 'minor'>,
  hold?: Hold,
): Promise<Parties> {
  const card = await tx.cards.get(purchase.cardId)
  if (card === undefined) throw notFound('card')
  const account = await tx.accounts.get(card.accountId)
  if (account === undefined) throw notFound('account')
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
 * The hold that a purchase raises; a credit belongs to a transaction without touching what that holds.
 *
 * @throws Problem 404 for an unknown transaction; 409 for one of another card, or one that holds nothing to be raised.
 */
export async function holdToRaise(tx: StoreTransaction, purchase: Transaction): Promise<Hold | undefined> {
  const {cardId, transactionId} = purchase
  if (transactionId === undefined) return undefined
  const [earlier] = await tx.authorisations.list({where: {transactionId}, limit: 1})
  if (earlier === undefined) throw notFound('transaction', 'There is no such transaction.')
  if (earlier.cardId !== cardId) throw conflict('another-card', 'The transaction is of another card.')
  if (!takesMoney(purchase)) return undefined
  const hold = await tx.holds.get(transactionId)
  if (hold?.status !== 'HELD') throw conflict('not-held', 'The transaction holds nothing to be raised.')
  return hold
}

/** The service's own checks, in their order: what they refuse is never sent to the client. */
export async function refusal(
  tx: StoreTransaction,
  purchase: Transaction,
  {card, account, customer, currency, billing}: Parties,
  now: number,
): Promise<Refusal | undefined> {
  const byState = refusedByState(card, account, now)
  if (byState) return byState
  if (billing === undefined) return {code: '57', reason: `there is no rate for ${purchase.currency}`}
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
    const byLimit = await refusedByLimit(tx, card, account, purchase, inLimits, now)
    if (byLimit) return byLimit
  }
  const byPin = await refusedByPin(tx, card, purchase)
  if (byPin) return byPin
  if (!takesMoney(purchase) || isCheckedElsewhere(account)) return undefined
  const enough = (await available(tx, account, currency)) >= billing
  return enough ? undefined : {code: '51', reason: 'insufficient funds'}
}

/** Whether the client's webhook checks the balance; for a debit account the key BALC switches ours off. */
function isCheckedElsewhere({members}: Account): boolean {
  const values = members.additionalValues as readonly {key: string; value: unknown}[] | undefined
  const isOff =
    values?.some(({key, value}) => key === 'BALC' && (value === true || value === 'true')) ?? false
  return members.externalBalanceCheck === true || isOff
}

/** Counts a wrong PIN, forgets the count after a right one, and refuses once the tries are used up. */
async function refusedByPin(
  tx: StoreTransaction,
  card: Card,
  purchase: Transaction,
): Promise<Refusal | undefined> {
  if (purchase.data.transactionType === 'PIN_UNBLOCK') {
    await setCounter(tx, card, 0)
    return undefined
  }
  if (!usesPin(purchase)) return undefined
  const {counter, max} = card.pinAttempts
  if (counter >= max) return {code: '75', reason: 'the tries of the PIN are used up'}
  if (!purchase.wrongPin) {
    if (counter > 0) await setCounter(tx, card, 0)
    return undefined
  }
  await setCounter(tx, card, counter + 1)
  return {code: '55', reason: `the PIN was wrong, ${counter + 1} of ${max} tries`}
}

async function setCounter(tx: StoreTransaction, card: Card, counter: number): Promise<void> {
  await tx.cards.put({...card, pinAttempts: {...card.pinAttempts, counter}})
}
