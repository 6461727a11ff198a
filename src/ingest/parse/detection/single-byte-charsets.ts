/** Letters beyond ASCII, in lower case (main exemplar characters of CLDR). */
type Language = { readonly code: string; readonly letters: string }

export type Script = 'latin' | 'cased' | 'uncased' | 'thai'

export type SingleByteCharset = {
  readonly charset: string
  readonly script: Script
  readonly languages: readonly Language[]
  readonly isRare?: true
}

const RUSSIAN_LETTERS = 'абвгдежзийклмнопрстуфхцчшщъыьэюяё'

const WESTERN: readonly Language[] = [
  { code: 'eng', letters: '' },
  { code: 'deu', letters: 'äöüß' },
  { code: 'fra', letters: 'àâæçéèêëîïôœùûü' },
  { code: 'spa', letters: 'áéíñóúü' },
  { code: 'por', letters: 'áâãàçéêíóôõú' },
  { code: 'ita', letters: 'àéèìòù' },
  { code: 'nld', letters: 'áéëïóöü' },
  { code: 'dan', letters: 'æøåé' },
  { code: 'nob', letters: 'æøåéòô' },
  { code: 'swe', letters: 'åäöé' },
  { code: 'fin', letters: 'åäö' },
  { code: 'cat', letters: 'àçéèíïóòúü' },
  { code: 'isl', letters: 'áæéíðóþúýö' },
]

const CENTRAL_EUROPEAN: readonly Language[] = [
  { code: 'pol', letters: 'ąćęłńóśźż' },
  { code: 'ces', letters: 'áčďéěíňóřšťúůýž' },
  { code: 'slk', letters: 'áäčďéíĺľňóôŕšťúýž' },
  { code: 'hun', letters: 'áéíóöőúüű' },
  { code: 'slv', letters: 'čšž' },
  { code: 'hrv', letters: 'čćđšž' },
  { code: 'ron', letters: 'ăâîșțşţ' },
]

const BALTIC: readonly Language[] = [
  { code: 'est', letters: 'äõöüšž' },
  { code: 'lav', letters: 'āčēģīķļņšūž' },
  { code: 'lit', letters: 'ąčęėįšųūž' },
]

const TURKISH: readonly Language[] = [{ code: 'tur', letters: 'çğıöşüâîû' }]

const CYRILLIC: readonly Language[] = [
  { code: 'rus', letters: RUSSIAN_LETTERS },
  { code: 'bul', letters: 'абвгдежзийклмнопрстуфхцчшщъьюя' },
]

const EAST_SLAVIC: readonly Language[] = [
  ...CYRILLIC,
  { code: 'ukr', letters: 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя' },
  { code: 'bel', letters: 'абвгдеёжзійклмнопрстуўфхцчшыьэюя' },
]

const ALL_CYRILLIC: readonly Language[] = [
  ...EAST_SLAVIC,
  { code: 'srp', letters: 'абвгдђежзијклљмнњопрстћуфхцчџш' },
  { code: 'mkd', letters: 'абвгдѓежзѕијклљмнњопрстќуфхцчџш' },
]

const GREEK: readonly Language[] = [
  { code: 'ell', letters: 'αάβγδεέζηήθιίϊΐκλμνξοόπρσςτυύϋΰφχψωώ' },
]

const HEBREW: readonly Language[] = [{ code: 'heb', letters: 'אבגדהוזחטיכךלמםנןסעפףצץקרשת' }]

const ARABIC: readonly Language[] = [
  { code: 'arb', letters: 'ءآأؤإئابةتثجحخدذرزسشصضطظعغـفقكلمنهوىي' },
  { code: 'pes', letters: 'ءآأؤئابپتثجچحخدذرزژسشصضطظعغفقکگلمنهوی' },
  { code: 'urd', letters: 'ءآأؤئابپتٹثجچحخدڈذرڑزژسشصضطظعغفقکگلمنںوہھیے' },
]

const THAI: readonly Language[] = [
  {
    code: 'tha',
    letters: 'กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลฦวศษสหฬอฮฯะัาำิีึืฺุูเแโใไๅๆ็่้๊๋์ํ',
  },
]

/** More common ones first. Omits subsets of others: ISO-8859-1, -8, -9 and -13, and TIS-620. */
export const SINGLE_BYTE_CHARSETS: readonly SingleByteCharset[] = [
  { charset: 'windows-1252', script: 'latin', languages: WESTERN },
  { charset: 'windows-1251', script: 'cased', languages: ALL_CYRILLIC },
  { charset: 'windows-1250', script: 'latin', languages: CENTRAL_EUROPEAN },
  { charset: 'windows-1254', script: 'latin', languages: TURKISH },
  { charset: 'windows-1257', script: 'latin', languages: BALTIC },
  { charset: 'windows-1253', script: 'cased', languages: GREEK },
  { charset: 'windows-1255', script: 'uncased', languages: HEBREW },
  { charset: 'windows-1256', script: 'uncased', languages: ARABIC },
  { charset: 'windows-874', script: 'thai', languages: THAI },
  { charset: 'koi8-r', script: 'cased', languages: CYRILLIC },
  { charset: 'koi8-u', script: 'cased', languages: EAST_SLAVIC },
  { charset: 'iso-8859-2', script: 'latin', languages: CENTRAL_EUROPEAN },
  { charset: 'iso-8859-5', script: 'cased', languages: ALL_CYRILLIC },
  { charset: 'iso-8859-6', script: 'uncased', languages: ARABIC },
  { charset: 'iso-8859-7', script: 'cased', languages: GREEK },
  { charset: 'cp866', script: 'cased', languages: EAST_SLAVIC },
  { charset: 'cp855', script: 'cased', languages: ALL_CYRILLIC },
  { charset: 'maccyrillic', script: 'cased', languages: ALL_CYRILLIC },
  { charset: 'macintosh', script: 'latin', languages: WESTERN, isRare: true },
]
