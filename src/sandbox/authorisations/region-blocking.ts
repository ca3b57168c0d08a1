import type {RegionBlocking} from '../cards/card.ts'

/**
 * The block of the card that applies to a purchase, if any.
 * @param country of the merchant, alpha-3; an unknown one is in no region.
 * @param home country of the cardholder: `home` blocks it, its continent doesn't.
 */
export function blockedRegion(
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
