/** ISO 3166-1: alpha-3, then alpha-2, by which Intl knows a name. XKX isn't in it, and banks use it for Kosovo. */
const CODES = `
  ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATAAQ ATFTF ATGAG AUSAU AUTAT
  AZEAZ BDIBI BELBE BENBJ BESBQ BFABF BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO
  BRABR BRBBB BRNBN BTNBT BVTBV BWABW CAFCF CANCA CCKCC CHECH CHLCL CHNCN CIVCI CMRCM CODCD COGCG
  COKCK COLCO COMKM CPVCV CRICR CUBCU CUWCW CXRCX CYMKY CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO
  DZADZ ECUEC EGYEG ERIER ESHEH ESPES ESTEE ETHET FINFI FJIFJ FLKFK FRAFR FROFO FSMFM GABGA GBRGB
  GEOGE GGYGG GHAGH GIBGI GINGN GLPGP GMBGM GNBGW GNQGQ GRCGR GRDGD GRLGL GTMGT GUFGF GUMGU GUYGY
  HKGHK HMDHM HNDHN HRVHR HTIHT HUNHU IDNID IMNIM INDIN IOTIO IRLIE IRNIR IRQIQ ISLIS ISRIL ITAIT
  JAMJM JEYJE JORJO JPNJP KAZKZ KENKE KGZKG KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB LBRLR LBYLY
  LCALC LIELI LKALK LSOLS LTULT LUXLU LVALV MACMO MAFMF MARMA MCOMC MDAMD MDGMG MDVMV MEXMX MHLMH
  MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ MRTMR MSRMS MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA
  NCLNC NERNE NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP NRUNR NZLNZ OMNOM PAKPK PANPA PCNPN PERPE
  PHLPH PLWPW PNGPG POLPL PRIPR PRKKP PRTPT PRYPY PSEPS PYFPF QATQA REURE ROURO RUSRU RWARW SAUSA
  SDNSD SENSN SGPSG SGSGS SHNSH SJMSJ SLBSB SLESL SLVSV SMRSM SOMSO SPMPM SRBRS SSDSS STPST SURSR
  SVKSK SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC TCDTD TGOTG THATH TJKTJ TKLTK TKMTM TLSTL TONTO
  TTOTT TUNTN TURTR TUVTV TWNTW TZATZ UGAUG UKRUA UMIUM URYUY USAUS UZBUZ VATVA VCTVC VENVE VGBVG
  VIRVI VNMVN VUTVU WLFWF WSMWS XKXXK YEMYE ZAFZA ZMBZM ZWEZW`

const twoLetters = new Map(
  CODES.trim()
    .split(/\s+/)
    .map(codes => [codes.slice(0, 3), codes.slice(3)]),
)

/** Codes and names that people use beside those of ISO: of sports, number plates and the tongue. */
const OTHERS = `
  GER=DEU SUI=CHE HOL=NLD NED=NLD DEN=DNK CRO=HRV POR=PRT GRE=GRC BUL=BGR LAT=LVA SLO=SVN RSA=ZAF UAE=ARE KSA=SAU
  ENG=GBR SCO=GBR WAL=GBR NIR=GBR CHI=CHL PHI=PHL INA=IDN VIE=VNM NGR=NGA PAR=PRY URU=URY ROM=ROU`

/** Names that Intl doesn't have. */
const NAMES = `
  uk=GBR greatbritain=GBR britain=GBR england=GBR scotland=GBR wales=GBR northernireland=GBR grossbritannien=GBR
  grandebretagne=GBR angleterre=GBR storbritannien=GBR holland=NLD czechrepublic=CZE tschechischerepublik=CZE
  unitedstatesofamerica=USA etatsunisdamerique=USA el=GRC turkey=TUR ivorycoast=CIV burma=MMR swaziland=SWZ
  capeverde=CPV macedonia=MKD congo= kongo= korea=`

/** The languages in which the names of countries are understood. A name of two countries is none. */
const LANGUAGES =
  'en de fr sv fi nb nn da is nl es it pt pl cs sk hu ro bg hr sl sr et lv lt el tr uk ru ga mt ca'.split(' ')

const english = new Intl.DisplayNames('en', {type: 'region', fallback: 'none'})

const pairs = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split(/\s+/)
      .map(pair => pair.split('=') as [string, string]),
  )

/** `Österreich` is `osterreich`. */
const letters = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[^\p{L}]/gu, '')

let known: ReadonlyMap<string, string> | undefined

/** Every name with its alpha-3 code. Only read once something was typed that is no code. */
function knownNames(): ReadonlyMap<string, string> {
  if (known !== undefined) return known
  const found = new Map<string, string>()
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames(language, {type: 'region', fallback: 'none'})
    for (const [three, two] of twoLetters) {
      for (const name of spellings(names.of(two) ?? '')) {
        const other = found.get(name)
        if (other === undefined) found.set(name, three)
        // What English calls a country stays its name.
        else if (other !== three && !isEnglish(name, other)) found.set(name, '')
      }
    }
  }
  known = new Map([...found, ...pairs(NAMES)])
  return known
}

/** `Österreich` is typed as `osterreich` and `oesterreich`. */
const spellings = (name: string): ReadonlySet<string> =>
  new Set([
    letters(name),
    letters(name.toLowerCase().replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue')),
  ])

const isEnglish = (name: string, three: string): boolean =>
  name === letters(english.of(twoLetters.get(three) ?? '') ?? '')

/** Whether ISO 3166-1 has the alpha-3 code. */
export const isCountry = (code: string): boolean => twoLetters.has(code)

/** The English name of an alpha-3 code; undefined if it is none. */
export function countryName(code: string): string | undefined {
  const two = twoLetters.get(code)
  return two === undefined ? undefined : english.of(two)
}

/** The alpha-3 code of a country that is typed as such a code, as one of two letters, or by its name in many languages. */
export function countryOf(text: string): string | undefined {
  const upper = text.trim().toUpperCase()
  if (isCountry(upper)) return upper
  const [three] = [...twoLetters].find(([, two]) => two === upper) ?? []
  const name = letters(text)
  return three ?? (name === '' ? undefined : knownNames().get(name) || undefined)
}

let starts: readonly (readonly [code: string, name: string])[] | undefined

/** The same, and for a code that ISO doesn't have the country that is probably meant: `GER` is DEU. */
function nearestCountry(text: string): string | undefined {
  const exact = countryOf(text) ?? pairs(OTHERS).get(text.trim().toUpperCase())
  const start = letters(text)
  if (exact !== undefined || start.length < 3) return exact
  starts ??= [...twoLetters.keys()].map(code => [code, letters(countryName(code) ?? '')])
  const [only, another] = starts.filter(([, name]) => name.startsWith(start))
  return another === undefined ? only?.[0] : undefined
}

/** An example of a code: `DEU for Germany` if that is what was typed, else one of any country. */
export function countryExample(text: unknown): string {
  const code = typeof text === 'string' ? (nearestCountry(text.slice(0, LONGEST)) ?? 'AUT') : 'AUT'
  return `${code} for ${countryName(code)}`
}

/** No name of a country is longer. */
const LONGEST = 80
