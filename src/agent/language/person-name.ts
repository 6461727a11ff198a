/** The commonest surnames of the census, less those that are more often other words (于, 任, 成, 时, 常, 向, 关 and the like). */
const SURNAMES = new Set(
  '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯董萧肖程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田姜范石姚谭廖邹熊陆郝孔白崔康毛邱秦江史顾侯邵孟龙段雷钱汤尹黎易武乔贺赖龚庞樊兰殷施陶洪翟颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂柴焦柳邢岳齐梅莫庄辛祝涂谷祁舒耿牟詹苗凌纪靳盛童欧甄曲裴屈鲍覃霍翁隋甘柏宁柯阮桂闵',
)
const COMPOUNDS = '欧阳|司马|上官|诸葛|司徒|东方|皇甫|尉迟|公孙|慕容|夏侯|令狐|长孙|宇文'
const COMPOUND = new RegExp(`^(?:${COMPOUNDS})$`)
const SURNAME = new RegExp(`[${[...SURNAMES].join('')}]|${COMPOUNDS}`)

/** Characters that begin no given name beside a surname: numbers, and words that join. */
const NOT_GIVEN = /^[一二三四五六七八九十两几日末的了和与或及是在为等由对从到被把将向各每该本此某上下内外前后中]/

const ROLE = /^(?:先生|女士|小姐|老师|同志)/

/** Bounded, so that no text makes one name of itself. */
const LATIN_NAME =
  /(?<![\p{L}\p{N}])(?:(?:Mr|Mrs|Ms|Dr|Prof)\.?\s{1,4}\p{Lu}[\p{L}'’-]{1,40}|\p{Lu}[\p{L}'’-]{1,40}(?:(?:\s{1,4}(?:\p{Lu}\.|de|van|von|der|den|bin|al|la)){0,3}\s{1,4}\p{Lu}[\p{L}'’-]{1,40}){1,4})/gu
const LEGAL_FORM =
  /(?:^|\s)(?:Ltd|Limited|Inc|LLC|LLP|PLC|Corp|Co|GmbH|AG|KG|AB|AS|ASA|Oy|SA|SAS|SARL|SpA|Srl|BV|NV|Kft|Zrt|Company|Group|University|Bank)$/iu
const ORGANISATION = /\p{Script=Han}{2,20}(?:公司|集团|委员会|银行|大学|研究院|事务所)/gu

/** One name alone, where somebody is said to be or to do: `the landlord is Homer`; no day or month. */
const SINGLE =
  /\b(?:is|was|are|were|by|be|named|called|appointed|elected)\s(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:January|February|March|April|May|June|July|August|September|October|November|December)\b)\p{Lu}\p{Ll}{1,30}(?![\p{L}\p{N}])|[:|]\s\p{Lu}\p{Ll}{1,30}(?=\s?(?:$|[.,;|\n]))/gu

const SEGMENTER = new Intl.Segmenter('zh', { granularity: 'word' })

/** The text names a person or a company that the question has not named already. */
export function namesSomeone(text: string, question: string): boolean {
  const read = text.slice(0, MAX_TEXT)
  const single = (read.match(SINGLE) ?? []).map(told => told.split(/[\s|]/).at(-1) ?? '')
  return (
    single.some(name => isNew(name, question)) ||
    companiesIn(read).some(name => isNew(name, question)) ||
    namesPerson(read, question)
  )
}

/** The text names a person that the question has not named already. */
export function namesPerson(text: string, question: string): boolean {
  const read = text.slice(0, MAX_TEXT)
  const companies = companiesIn(read).join('\n')
  const latin = new Set(read.match(LATIN_NAME))
  for (const name of latin) if (isNew(name, question) && !companies.includes(name)) return true
  return hanNames(read).some(name => isNew(name, question))
}

/** Of a longer text the beginning is read, in characters. */
const MAX_TEXT = 20_000
const MAX_LEGAL_FORM = 30

function companiesIn(text: string): readonly string[] {
  const names = [...text.matchAll(LATIN_NAME)].filter(({ 0: name, index }) => {
    const end = index + name.length
    return LEGAL_FORM.test(name) || LEGAL_FORM.test(text.slice(end, end + MAX_LEGAL_FORM).split(/[\s,.]+/)[1] ?? '')
  })
  return [...new Set([...names.map(([name]) => name), ...(text.match(ORGANISATION) ?? [])])]
}

function isNew(name: string, question: string): boolean {
  const asked = question.toLowerCase()
  return name.split(/\s+/).some(word => !asked.includes(word.toLowerCase()))
}

/** A surname that the segmenter leaves alone, with the one or two characters of a given name after it. */
function hanNames(text: string): readonly string[] {
  return [...new Set(text.match(HAN_RUN))].flatMap(stretchesOf).flatMap(namesInStretch)
}

const HAN_RUN = /\p{Script=Han}{2,}/gu

/** The time that a segmenter takes grows faster than the text: it is given so many characters at once, the longest name shared. */
const STRETCH = { length: 48, shared: 6 }

function stretchesOf(run: string): readonly string[] {
  const step = STRETCH.length - STRETCH.shared
  const count = Math.max(1, Math.ceil((run.length - STRETCH.shared) / step))
  const stretches = Array.from({ length: count }, (_, at) => run.slice(at * step, at * step + STRETCH.length))
  return [...new Set(stretches)].filter(stretch => SURNAME.test(stretch))
}

function namesInStretch(stretch: string): readonly string[] {
  const words = Array.from(SEGMENTER.segment(stretch), part => part.segment)
  return words.flatMap((word, at) => {
    if (!SURNAMES.has(word) && !COMPOUND.test(word)) return []
    const [next = '', after = ''] = words.slice(at + 1, at + 3)
    if (ROLE.test(next)) return [word + next]
    if (!/^\p{Script=Han}{1,2}$/u.test(next) || NOT_GIVEN.test(next)) return []
    return [word + next + (next.length === 1 && /^\p{Script=Han}$/u.test(after) && !NOT_GIVEN.test(after) ? after : '')]
  })
}
