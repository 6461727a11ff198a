import { loadIconv } from './iconv.ts'
import { SINGLE_BYTE_CHARSETS } from './single-byte-charsets.ts'
import { scoreSingleByteCharset } from './single-byte-score.ts'

/** Rates a character from -2 to 2. */
type Weigh = (here: number, before: number, after: number, code: number) => number
type Candidate = { readonly charset: string; readonly weigh: Weigh }

/**
 * Negative, since most Central European letters stand for Western ones, whose reading is more
 * common.
 */
const RARER = -0.25

/** Mean weight beyond ASCII, so that binary data is no text. */
const MIN_SCORE = 0.35

/**
 * Share of two printable ASCII bytes among ideographs, so that ASCII is not read as UTF-16.
 * Chinese has a quarter.
 */
const MAX_ASCII_PAIRS = 0.6
/** Needed above `MAX_ASCII_PAIRS`, so that only common ideographs count as UTF-16. */
const MIN_WIDE_SCORE = 1.2

/**
 * Score, and lead over another charset, below which a guess is doubtful: of 617 pieces of the
 * Universal Declaration of Human Rights in 25 charsets 3 are wrong without doubt, 43 right with
 * it.
 */
const SURE_SCORE = 1.2
const SURE_LEAD = 0.1

/** Bounded, so that all 18 charsets take milliseconds. */
const MAX_TELLING_BYTES = 16_384
/** Longer pieces bring more ASCII, shorter ones cut more words. */
const PIECE_BYTES = 256

/** Most frequent characters by frequency lists; a third of running text. */
const COMMON_HAN_SIMPLIFIED =
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运'
const COMMON_HAN_TRADITIONAL =
  '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運'
const COMMON_HANGUL = listCodes(
  '이다는에의가을한고를하지서로은도기사인자어리해대일시아그나들정수있부제라전으보과여게장만스주성조상동구원니면관국화며었유적습적',
)

const HANS = /\p{Script=Han}/gu

const JUNK = 1
const ASCII = 2
const HAN = 4
const KANA = 8
const CJK_MARK = 16
const LATIN_LETTER = 128
const LATIN_MARK = 256
const CENTRAL_EUROPEAN_ONLY = 512
const WESTERN_ONLY = 1_024
const FRENCH_Y = 2_048
const VOWEL = 4_096
const PART_OF_WORDS = 16_384
const KNOWN = 32_768

const TRAITS: readonly (readonly [number, RegExp])[] = [
  [JUNK, /[\p{Cc}\p{Co}\p{Cn}\p{Cs}\ufffd]/u],
  [ASCII, /[\t\n\r\x20-\x7e]/],
  [HAN, /\p{Script=Han}/u],
  [KANA, /[\u3041-\u3096\u30a1-\u30fe]/],
  [CJK_MARK, /[\u3000-\u301f\uff01-\uff5e\u2014\u2018-\u201d\u2026\u00b7]/],
  [
    LATIN_LETTER,
    /[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00fe\u0152\u0153\u0160\u0161\u0178\u017d\u017e]/,
  ],
  [LATIN_MARK, /[\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac\u2122\u00a0-\u00bf\u00d7]/],
  [
    CENTRAL_EUROPEAN_ONLY,
    /[\u0102-\u0107\u010c-\u0111\u0118-\u011b\u0139-\u0148\u0150\u0151\u0154-\u015b\u015e\u015f\u0162-\u0165\u016e-\u0171\u0179-\u017c]/,
  ],
  [WESTERN_ONLY, /[\u00e3\u00f5\u00f1\u00e5\u00e6\u00f8\u00ea\u00e8\u00ec\u00f2\u00f9\u00fb]/],
  [FRENCH_Y, /ÿ/], // after a vowel in French names; elsewhere mostly damage
  [VOWEL, /[aeou]/i],
  [PART_OF_WORDS, /[\p{L}\s\p{P}]/u], // a letter of Central Europe may stand beside any other, unlike in Western text
]
const cachedTraits = new Uint16Array(0x10000)
const SPACE = lookUpTraits(0x20)

export type CharsetGuess = {
  readonly charset: string
  /** Another charset fits nearly as well, or the text hardly reads as a language. */
  readonly isDoubtful?: true
}

type Scored = { readonly charset: string; readonly score: number }

/**
 * Finds the charset under which the samples read best. Takes steps of some milliseconds. See
 * docs/decisions/own-readers.md for why not chardet.
 */
export function* guessCharset(
  samples: readonly Uint8Array[],
): Generator<void, CharsetGuess | undefined> {
  const distinctive = pickDistinctiveBytes(samples)
  return pickBest(
    [...(yield* scoreByCharacters(samples)), ...(yield* scoreByTrigrams(distinctive))],
    distinctive,
  )
}

function* scoreByCharacters(samples: readonly Uint8Array[]): Generator<void, readonly Scored[]> {
  const scored: Scored[] = []
  for (const { charset, weigh } of getCandidates()) {
    const plain = yield* scoreCharset(samples, charset, weigh)
    if (plain < (canBePairs(samples, charset) ? MIN_WIDE_SCORE : MIN_SCORE)) continue
    const prior =
      charset === 'gb18030' ? computePrior(samples) : charset === 'windows-1250' ? RARER : 0
    scored.push({ charset, score: plain + prior })
  }
  return scored
}

function* scoreByTrigrams(distinctive: Uint8Array): Generator<void, readonly Scored[]> {
  const scored: Scored[] = []
  for (const candidate of SINGLE_BYTE_CHARSETS) {
    yield
    const score = scoreSingleByteCharset(distinctive, candidate) + (candidate.isRare ? RARER : 0)
    if (score >= MIN_SCORE) scored.push({ charset: candidate.charset, score })
  }
  return scored
}

function pickBest(scored: readonly Scored[], distinctive: Uint8Array): CharsetGuess | undefined {
  const [best, ...others] = scored.toSorted((a, b) => b.score - a.score)
  if (!best) return undefined
  const readAs = (charset: string) => loadIconv().decode(Buffer.from(distinctive), charset)
  const text = readAs(best.charset)
  const rival = others.find(({ charset }) => readAs(charset) !== text)
  const isDoubtful =
    best.score < SURE_SCORE || (rival !== undefined && best.score - rival.score < SURE_LEAD)
  return isDoubtful ? { charset: best.charset, isDoubtful } : { charset: best.charset }
}

function pickDistinctiveBytes(samples: readonly Uint8Array[]): Uint8Array {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for (const sample of samples) {
    for (let start = 0; start < sample.length && bytes < MAX_TELLING_BYTES; start += PIECE_BYTES) {
      const piece = sample.subarray(start, start + PIECE_BYTES)
      if (!piece.some(byte => byte > 0x7f)) continue
      pieces.push(piece)
      bytes += piece.length
    }
  }
  return Buffer.concat(pieces)
}

/** Rejects pairs of ASCII letters: names among other bytes would read as Chinese. */
function canBePairs(samples: readonly Uint8Array[], charset: string): boolean {
  if (!charset.startsWith('utf-16')) return false
  const ideographs = samples.flatMap(
    sample => loadIconv().decode(Buffer.from(sample), charset).match(HANS) ?? [],
  )
  const pairs = ideographs.filter(ideograph => {
    const code = ideograph.charCodeAt(0)
    return isPrintable(code >> 8) && isPrintable(code & 0xff)
  })
  return pairs.length > ideographs.length * MAX_ASCII_PAIRS
}

function isPrintable(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f
}

/** Prefers the commoner charset by three bytes: a word or two may read as well in Big5. */
function computePrior(samples: readonly Uint8Array[]): number {
  const bytes = samples.reduce((sum, sample) => sum + sample.filter(byte => byte > 0x7f).length, 0)
  return bytes === 0 ? 0 : 3 / bytes
}

/** Takes the mean per byte: a reading in many small characters gains nothing. */
function* scoreCharset(
  samples: readonly Uint8Array[],
  charset: string,
  weigh: Weigh,
): Generator<void, number> {
  const isWide = charset.startsWith('utf-16')
  let total = 0
  let bytes = 0
  for (const sample of samples) {
    yield
    const { sum, ascii, others } = weighAll(loadIconv().decode(Buffer.from(sample), charset), weigh)
    const scored = isWide ? ascii + others : others
    if (scored === 0) continue
    const width = sample.length - (isWide ? 0 : ascii)
    total += ((sum + (isWide ? ascii : 0)) / scored) * width
    bytes += width
  }
  return bytes === 0 ? 0 : total / bytes
}

function weighAll(
  text: string,
  weigh: Weigh,
): { readonly sum: number; readonly ascii: number; readonly others: number } {
  let sum = 0
  let ascii = 0
  let others = 0
  let before = SPACE
  let here = readTraits(text, 0)
  for (let index = 0; index < text.length; ) {
    const code = text.codePointAt(index) ?? 0
    index += code > 0xffff ? 2 : 1
    const after = index < text.length ? readTraits(text, index) : SPACE
    if (here & ASCII) ascii++
    else {
      others++
      sum += weigh(here, before, after, code)
    }
    before = here
    here = after
  }
  return { sum, ascii, others }
}

let made: readonly Candidate[] | undefined

/** Waits for the first text that is not UTF-8, because it takes milliseconds. */
function getCandidates(): readonly Candidate[] {
  made ??= makeCandidates()
  return made
}

/** Decodes the first levels of the national character sets, of which texts consist. */
export function decodeCommonHan() {
  return {
    simplified: decodeRange('gb18030', [0xb0, 0xd7], [0xa1, 0xfe]),
    traditional: decodeRange('big5', [0xa4, 0xc6], [0x40, 0xfe]),
    kanji: decodeRange('shift_jis', [0x88, 0x97], [0x40, 0xfc]),
  }
}

function makeCandidates(): readonly Candidate[] {
  const common = decodeCommonHan()
  const simplified = makeHanWeigher(common.simplified, COMMON_HAN_SIMPLIFIED)
  const traditional = makeHanWeigher(common.traditional, COMMON_HAN_TRADITIONAL)
  const kanji = makeHanWeigher(common.kanji, COMMON_HAN_TRADITIONAL)
  const japanese: Weigh = (here, before, after, code) =>
    here & KANA ? 1.6 : kanji(here, before, after, code)
  const anyEastAsian: Weigh = (...traits) =>
    Math.max(simplified(...traits), traditional(...traits), japanese(...traits))
  return [
    { charset: 'utf-8', weigh: here => (here & JUNK ? -2 : 1.5) },
    { charset: 'gb18030', weigh: simplified },
    { charset: 'big5', weigh: traditional },
    { charset: 'shift_jis', weigh: japanese },
    { charset: 'euc-jp', weigh: japanese },
    { charset: 'euc-kr', weigh: weighKorean },
    { charset: 'windows-1252', weigh: weighWestern },
    { charset: 'windows-1250', weigh: weighCentralEuropean },
    { charset: 'utf-16le', weigh: anyEastAsian },
    { charset: 'utf-16be', weigh: anyEastAsian },
  ]
}

/** Counts a frequent character twice: chance readings seldom land on those. */
function makeHanWeigher(range: ReadonlySet<number>, frequent: string): Weigh {
  const commonest = listCodes(frequent)
  return (here, _before, _after, code) => {
    if (here & JUNK) return -2
    if (commonest.has(code)) return 2
    if (range.has(code) || here & CJK_MARK) return 1
    return here & HAN ? 0 : -0.5
  }
}

function weighKorean(here: number, _before: number, _after: number, code: number): number {
  if (here & JUNK) return -2
  if (COMMON_HANGUL.has(code)) return 2
  if (code >= 0xac00 && code <= 0xd7a3) return 1
  return here & CJK_MARK ? 1 : -0.2
}

function weighWestern(here: number, before: number, after: number): number {
  if (here & JUNK) return -2
  const asciiNeighbour = (before | after) & ASCII
  if (here & LATIN_LETTER || (here & FRENCH_Y && before & VOWEL))
    return before & after & ASCII ? 1.2 : asciiNeighbour ? 0.4 : -0.5
  return here & LATIN_MARK && asciiNeighbour ? 0.6 : -0.5
}

function weighCentralEuropean(here: number, before: number, after: number): number {
  if (here & CENTRAL_EUROPEAN_ONLY) return before & after & PART_OF_WORDS ? 1.2 : -0.5
  return here & WESTERN_ONLY ? -0.5 : weighWestern(here, before, after)
}

function readTraits(text: string, index: number): number {
  const code = text.codePointAt(index)
  return code === undefined ? SPACE : lookUpTraits(code)
}

/** Caches characters: testing all would take a third of a second. */
function lookUpTraits(code: number): number {
  if (code > 0xffff) return classifyCharacter(String.fromCodePoint(code))
  const traits = cachedTraits[code] || classifyCharacter(String.fromCharCode(code)) | KNOWN
  cachedTraits[code] = traits
  return traits
}

function classifyCharacter(character: string): number {
  return TRAITS.reduce(
    (traits, [trait, pattern]) => (pattern.test(character) ? traits | trait : traits),
    0,
  )
}

function decodeRange(
  charset: string,
  lead: readonly [number, number],
  trail: readonly [number, number],
): Set<number> {
  const bytes: number[] = []
  for (let first = lead[0]; first <= lead[1]; first++) {
    for (let second = trail[0]; second <= trail[1]; second++) {
      if (second !== 0x7f) bytes.push(first, second)
    }
  }
  return listCodes(loadIconv().decode(Buffer.from(bytes), charset))
}

function listCodes(text: string): Set<number> {
  return new Set(Array.from(text, character => character.codePointAt(0) ?? 0))
}
