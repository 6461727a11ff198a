/**
 * The closed classes that the checker knows: function words, negations, modals, units. Written for it from school
 * grammars and the SI brochure; nothing is taken from the answer layer, which the checker is to judge.
 */
export const ENGLISH_FUNCTION: ReadonlySet<string> = new Set(
  (
    'a about after all also am an and any are as at be because been before being between both but by can could did do ' +
    'does during each either every for from had has have he her him his how i if in into is it its may me might more most ' +
    'must my no not of off on one only or other our out over per shall she should so some such than that the their them ' +
    'then there these they this those through to too under until up us was we were what when where which while who whose ' +
    'why will with within would yes you your'
  ).split(' '),
)

/** Where Chinese text is cut before its characters are paired. */
export const CHINESE_FUNCTION =
  /因此|所以|因为|如果|或者|以及|并且|其中|这个|那个|什么|哪些|多少|怎么|是否|[的了是在和与及或也都就把被将对由从到为于以其此该各每又并而但若则之吗呢吧啊个]/u

/** Negations; not the words that only look like one (不锈钢) and not bounds (不超过), which are compared as words. */
export const NEGATORS =
  /\b(?:not|never|no|cannot|without|neither|nor|none|nobody)\b|n['’]t\b|不(?!锈钢|超过|少于|低于|高于|同|仅|但|足|久|断|得不|论|管)|(?:没有|没|无(?!线|锡|人机|论)|未(?!来)|勿|禁止|非(?!常|遗|洲))/giu

export const MODALS = {
  must: /\b(?:must|shall|required to|has to|have to|obliged)\b|必须|应当|务必|须(?!知)|一律/iu,
  may: /\b(?:may|can|could|might|optional|optionally|allowed to|free to)\b|可以|可选|允许|可(?=自行|以|由|在|于|选|不)|自愿/iu,
} as const

/** The months of English, which a date in digits has as a number. *May* is one only beside a number or a preposition. */
export const MONTHS =
  /\b(?:(January)|(February)|(March)|(April)|((?<=\b(?:in|since|until|till|to|from|of|by)\s|\d\s)May|May(?=\s\d))|(June)|(July)|(August)|(September)|(October)|(November)|(December))\b/g

/** Every spelling of a unit that the checker takes for the same one. */
const SPELLINGS: readonly string[] = [
  '% percent per-cent 百分',
  '‰',
  '°C ℃ C 摄氏度 度',
  '°F ℉',
  'mm millimetre millimetres millimeter millimeters 毫米',
  'cm centimetre centimetres centimeter centimeters 厘米',
  'm metre metres meter meters 米',
  'km kilometre kilometres kilometer kilometers 公里 千米',
  'm² 平方米 平米',
  'ha hectare hectares 公顷',
  '亩',
  'g gram grams 克',
  'mg 毫克',
  'µg μg 微克',
  'kg kilogram kilograms 公斤 千克',
  't tonne tonnes 吨',
  'ml mL millilitre millilitres milliliter milliliters 毫升',
  'l L litre litres liter liters 升',
  'm³ 立方米',
  'W watt watts 瓦',
  'kW 千瓦',
  'kWh 千瓦时',
  'MWh 兆瓦时',
  'V volt volts 伏',
  'A amp amps 安',
  'Hz 赫兹',
  'dB 分贝',
  'bar',
  'Nm N·m',
  'MPa 兆帕',
  's sec second seconds 秒 秒钟',
  'ms 毫秒',
  'min minute minutes 分钟',
  'h hr hour hours 小时 个小时',
  'day days 天 日',
  'week weeks 周 星期 个星期',
  'month months 个月 月',
  'year years 年',
  '€ EUR euro euros 欧元',
  '£ GBP pound pounds 英镑',
  '$ USD dollar dollars 美元',
  '¥ RMB CNY yuan 元 人民币',
  '万元',
  '亿元',
  'MB',
  'GB',
  'KB kB',
  'people persons person 人 名 位',
  'times 次',
  'page pages 页',
  'point points 分',
  'piece pieces 个 只 件 条 张 台 部 根 副 道 盒 罐 种 项 册 间 头 家 颗 辆',
]

export const UNITS: ReadonlyMap<string, string> = new Map(
  SPELLINGS.flatMap(line => {
    const spellings = line.split(' ')
    return spellings.map(spelling => [spelling, spellings[0]!] as const)
  }),
)
