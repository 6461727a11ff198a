export type Unit = {
  /** Sign, such as `kg`, `m²`, `EUR`, `台`. */
  readonly id: string
  readonly dimension: Dimension
  /** Amount in the dimension's base unit; 1 for currencies, which do not convert. */
  readonly factor: number
  /** Zero in the base unit: -17.8 for °F. */
  readonly zero?: number
}

export type Dimension = keyof typeof UNITS | 'money' | 'count' | 'rank'

/** SI prefixes (BIPM SI Brochure, 9th edition, table 7); Chinese names by GB 3100. */
const PREFIXES: Readonly<
  Record<string, readonly [english: string, chinese: string, factor: number]>
> = {
  P: ['peta', '拍', 1e15],
  T: ['tera', '太', 1e12],
  G: ['giga', '吉', 1e9],
  M: ['mega', '兆', 1e6],
  k: ['kilo', '千', 1e3],
  h: ['hecto', '百', 1e2],
  d: ['deci', '分', 0.1],
  c: ['centi', '厘', 0.01],
  m: ['milli', '毫', 1e-3],
  µ: ['micro', '微', 1e-6],
  n: ['nano', '纳', 1e-9],
}

/**
 * Units by dimension: sign, factor, names (`_` is a space), and after a bar its prefixes. SI
 * Brochure tables 2 to 8, UCUM for the others (365.25 days a year), Chinese names by CLDR and
 * GB 3100.
 */
const UNITS = {
  length: `m 1 metre metres meter meters 米 | k c m d µ n
    km 1000 公里; cm .01 公分; 里 500 华里; in .0254 inch inches 英寸; ft .3048 foot feet 英尺; yd .9144 yard yards 码
    mi 1609.344 mile miles 英里; nmi 1852 nautical_mile nautical_miles 海里`,
  area: `m² 1 m2 ㎡ sqm sq_m square_metre square_metres square_meter square_meters 平方米 平米
    cm² 1e-4 cm2 平方厘米; mm² 1e-6 mm2 平方毫米; ha 1e4 hectare hectares 公顷; 亩 666.6666666667 ; acre 4046.8564224 acres 英亩
    km² 1e6 km2 square_kilometre square_kilometres square_kilometer square_kilometers 平方公里 平方千米
    ft² .09290304 ft2 sq_ft square_foot square_feet 平方英尺`,
  volume: `l 1 litre litres liter liters 升 | m c d µ
    L 1 | m c d µ
    m³ 1000 m3 cubic_metre cubic_metres cubic_meter cubic_meters 立方米; cm³ .001 cm3 cc 立方厘米
    gal 3.785411784 gallon gallons 加仑`,
  mass: `kg 1 kilo kilos 公斤; g .001 gram grams gramme grammes 克 | k m µ n
    t 1000 ton tons tonne tonnes metric_ton metric_tons 吨 | k M
    斤 .5 市斤; oz .028349523125 ounce ounces 盎司; lb .45359237 lbs 磅`,
  time: `s 1 second seconds sec secs 秒 秒钟 | m µ n
    min 60 minute minutes mins 分钟; h 3600 hour hours hr hrs 小时 个小时 钟头 个钟头
    day 86400 d days 天 日 工作日 个工作日; week 604800 wk weeks 周 星期 个星期 礼拜 个礼拜; month 2629800 mo months 个月
    quarter 7889400 quarters 季度 个季度; year 31557600 years yr yrs 年 岁 周年 周岁; century 3155760000 centuries 世纪 个世纪`,
  temperature:
    '°C 1 ℃ degree_Celsius degrees_Celsius 摄氏度; °F .5555555555556 ℉ degree_Fahrenheit degrees_Fahrenheit 华氏度',
  speed: `m/s 1 米/秒 米每秒; km/h .2777777777778 kmh kph 公里/小时 公里每小时 千米/小时 千米每小时
    mph .44704 英里/小时; kn .5144444444444 knot knots`,
  power: `W 1 watt watts 瓦 瓦特 | k M G m
    hp 745.7 horsepower 马力; kWp 1000`,
  energy: `J 1 joule joules 焦耳 | k M G
    Wh 3600 watt-hour watt-hours watt_hour watt_hours 瓦时 | k M G T m
    cal 4.184 calorie calories 卡 卡路里 | k
    kcal 4184 大卡`,
  force: 'N 1 newton newtons 牛顿 | k m',
  torque: 'Nm 1 N·m N⋅m newton_metre newton_metres newton_meter newton_meters 牛米 牛·米 牛顿米',
  pressure: `Pa 1 pascal 帕 帕斯卡 | k M G h
    bar 1e5 bars 巴 | m
    psi 6894.757293168; atm 101325 大气压 个大气压`,
  voltage: 'V 1 volt volts 伏 伏特 | k m M',
  current: 'A 1 amp amps ampere amperes 安 安培 | m k',
  charge: 'Ah 1 安时 | m',
  frequency: `Hz 1 hertz 赫兹 赫 | k M G T
    rpm .0166666666667 转/分 转每分`,
  data: `B 1 byte bytes 字节 | k M G T P
    KB 1000; KiB 1024; MiB 1048576; GiB 1073741824; TiB 1099511627776
    bit .125 bits 比特 | k M G`,
  'data rate': `bit/s 1 | k M G
    bps 1 | k M G
    B/s 8 | k M G`,
  sound: 'dB 1 dBA decibel decibels 分贝',
  angle: '° 1 deg degree degrees 度; rad 57.29577951308 radian radians 弧度',
  share: '% .01 percent per_cent pct percentage_point percentage_points 个百分点; ‰ .001; ppm 1e-6',
} as const

/** ISO 4217 codes with names and signs of CLDR. */
const CURRENCIES = `EUR 1 euro euros 欧元 €; USD 1 dollar dollars US_dollar US_dollars 美元 美金 $ US$; GBP 1 pound pounds 英镑 £
  CNY 1 RMB yuan 元 人民币 块 块钱 ¥ CN¥; JPY 1 yen 日元 日圆 JP¥; HKD 1 港元 港币 HK$; TWD 1 新台币 NT$; SGD 1 新加坡元 S$
  AUD 1 澳元 A$; CAD 1 加元 CA$; NZD 1 新西兰元 NZ$; CHF 1 franc francs 瑞士法郎; INR 1 rupee rupees 卢比 ₹; KRW 1 韩元 ₩
  RUB 1 rouble roubles ruble rubles 卢布 ₽; SEK 1 瑞典克朗; NOK 1 挪威克朗; DKK 1 丹麦克朗; kr 1 krone kroner krona kronor 克朗; PLN 1 zloty; CZK 1; BRL 1 R$; MXN 1
  ZAR 1 rand; THB 1 baht 泰铢 ฿; VND 1 越南盾 ₫; TRY 1 lira ₺; ILS 1 shekel shekels ₪`

/** Chinese classifiers (Lü Shuxiang 1999, appendix), and the English one. */
const CLASSIFIERS =
  '个 名 位 人 台 件 条 项 份 张 套 只 本 家 次 门 辆 座 间 层 楼 页 章 节 款 种 类 部 根 支 枝 瓶 箱 盒 袋 包 组 队 班 户 所 艘 架 颗 粒 片 株 棵 头 匹 口 场 届 期 轮 步 级 倍 篇 首 幅 道 批 对 双 栋 幢 处 枚 桶 杯 碗 盘 卷 册 段 行 列 格 桌 席 股 笔 字 piece pieces pcs'

/** Units in headers only; in sentences they are mostly other words. */
const IN_HEADERS: Readonly<Record<string, string>> = {
  分: 'min',
  时: 'h',
  月: 'month',
  平方: 'm²',
  人次: '人',
  C: '°C',
  F: '°F',
}
const ONLY_IN_HEADERS = new Set(['in', 'quarter', '里', '字'])

export const RANK: Unit = { id: 'rank', dimension: 'rank', factor: 1 }

const EXACT = new Map<string, Unit>()
const FOLDED = new Map<string, Unit>()
for (const [dimension, rows] of Object.entries({ ...UNITS, money: CURRENCIES })) {
  for (const row of rows.split(/[;\n]/)) addRow(row.trim(), dimension as Dimension)
}
for (const id of CLASSIFIERS.split(' ')) add([id], { id, dimension: 'count', factor: 1 })
for (const [name, id] of Object.entries(IN_HEADERS)) EXACT.set(name, EXACT.get(id)!)

function addRow(row: string, dimension: Dimension): void {
  const [named = '', prefixes = ''] = row.split(' | ')
  const [id = '', factor = '1', ...names] = named.replace(/ \|$/, '').split(' ')
  const all = names.map(name => name.replaceAll('_', ' '))
  const zero = id === '°F' ? { zero: (-32 * 5) / 9 } : {}
  add([id, ...all], { id, dimension, factor: Number(factor), ...zero })
  for (const prefix of prefixes.split(' ').filter(Boolean)) {
    const [english, chinese, times] = PREFIXES[prefix]!
    const longer = all.map(name => (/^[a-z]{3}/.test(name) ? english + name : chinese + name))
    add([prefix + id, ...longer], {
      id: prefix + id,
      dimension,
      factor: Number((Number(factor) * times).toPrecision(12)),
    })
  }
}

function add(names: readonly string[], unit: Unit): void {
  for (const name of names) {
    if (!EXACT.has(name)) EXACT.set(name, unit)
    if (!FOLDED.has(name.toLowerCase())) FOLDED.set(name.toLowerCase(), unit)
  }
}

/** Ignores case unless two units differ by it, as `mW` and `MW` do. */
export function findUnit(name: string): Unit | undefined {
  const written = name.replaceAll('μ', 'µ')
  return EXACT.get(written) ?? EXACT.get(written.toLowerCase()) ?? FOLDED.get(written.toLowerCase())
}

/** Possible unit: words of one script with exponent or divisor, or a sign. */
const NAME =
  /[ \u00a0\u2009\u202f]?-?(?:(?<latin>[\p{Script=Latin}µμ]{1,14}[²³23]?(?:\/[A-Za-z]{1,2}(?![A-Za-z]))?(?:[ -][A-Za-z]{2,14}){0,2})|(?<sign>° ?[CF](?![a-z])|[°%‰€$£¥₹₩㎡℃℉])|(?<han>\p{Script=Han}{1,4}(?:\/\p{Script=Han}{1,2}|每?\p{Script=Han}{0,3})))/uy

/** Reads after an optional space; returns the unit's end, too. */
export function readUnit(
  text: string,
  index: number,
): { readonly unit: Unit; readonly end: number } | undefined {
  NAME.lastIndex = index
  const found = NAME.exec(text)
  const { latin, sign, han } = found?.groups ?? {}
  const end = NAME.lastIndex
  if (latin !== undefined) return readLatinUnit(text, latin, end)
  if (han !== undefined) return readHanUnit(han, end)
  const unit = sign === undefined ? undefined : EXACT.get(sign.replace(' ', ''))
  return unit && { unit, end }
}

function readLatinUnit(text: string, written: string, end: number) {
  for (let length = written.length; length > 0; length = findLastPart(written, length)) {
    const name = written.slice(0, length)
    const behind = text[end - written.length + length] ?? ''
    if (/[\p{Script=Latin}\p{N}_]/u.test(behind) || ONLY_IN_HEADERS.has(name)) continue
    const unit = name.length === 1 ? EXACT.get(name) : findUnit(name)
    if (unit && !(name in IN_HEADERS)) return { unit, end: end - written.length + length }
  }
  return undefined
}

function findLastPart(written: string, length: number): number {
  return Math.max(
    ...[' ', '-', '/', '²', '³', '2', '3'].map(sign => written.lastIndexOf(sign, length - 1)),
    0,
  )
}

function readHanUnit(written: string, end: number) {
  for (let length = written.length; length > 0; length--) {
    const name = written.slice(0, length)
    if (ONLY_IN_HEADERS.has(name) || name in IN_HEADERS) continue
    const unit = EXACT.get(name)
    if (unit) return { unit, end: end - written.length + length }
  }
  return undefined
}
