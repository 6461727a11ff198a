/** A unit, what it measures, and how many base units of that it is. Of currencies each measures its own. */
export type MeasureUnit = { readonly name: string; readonly dimension: string; readonly factor: number }

/** The ways to write a unit; signs are read as it only where a unit is expected, as in cells and headers: `t`, `分`. */
type Written = readonly [name: string, dimension: string, factor: number, names: string, signs?: string]

/** A month is no number of days. */
const UNITS: readonly Written[] = [
  ['second', 'time', 1, 'second seconds sec secs 秒 秒钟'],
  ['minute', 'time', 60, 'minute minutes min mins 分钟', '分'],
  ['hour', 'time', 3600, 'hour hours hr hrs 小时 个小时 钟头 个钟头', 'h'],
  ['day', 'time', 86_400, 'day days 天 日'],
  ['week', 'time', 604_800, 'week weeks 周 星期 个星期'],
  ['month', 'months', 1, 'month months 个月', '月'],
  ['quarter', 'months', 3, 'quarter quarters 季度 个季度'],
  ['year', 'months', 12, 'year years 年'],
  ['ms', 'time', 1e-3, 'ms millisecond milliseconds 毫秒'],
  ['mg', 'mass', 1e-6, 'mg milligram milligrams 毫克'],
  ['g', 'mass', 1e-3, 'g gram grams 克'],
  ['kg', 'mass', 1, 'kg kilo kilos kilogram kilograms 公斤 千克'],
  ['oz', 'mass', 0.028349523125, 'oz ounce ounces 盎司'],
  ['lb', 'mass', 0.45359237, 'lb lbs'],
  ['jin', 'mass', 0.5, '斤'],
  ['tonne', 'mass', 1000, 'ton tons tonne tonnes 吨', 't'],
  ['mm', 'length', 1e-3, 'mm 毫米'],
  ['cm', 'length', 1e-2, 'cm 厘米 公分'],
  ['m', 'length', 1, 'm metre metres meter meters 米'],
  ['km', 'length', 1000, 'km kilometre kilometres kilometer kilometers 公里 千米'],
  ['inch', 'length', 0.0254, 'inch inches 英寸'],
  ['foot', 'length', 0.3048, 'foot feet 英尺'],
  ['mile', 'length', 1609.344, 'mile miles 英里'],
  ['m2', 'area', 1, 'm2 m² sqm 平方米 平米'],
  ['hectare', 'area', 1e4, 'hectare hectares 公顷', 'ha'],
  ['mu', 'area', 2000 / 3, '亩'],
  ['km2', 'area', 1e6, 'km2 km² 平方公里 平方千米'],
  ['kW', 'power', 1000, 'kw 千瓦'],
  ['W', 'power', 1, 'w watt watts 瓦'],
  ['megawatt', 'power', 1e6, 'megawatt megawatts 兆瓦', 'mw'],
  ['kWh', 'energy', 1, 'kwh 千瓦时'],
  ['MWh', 'energy', 1e3, 'mwh 兆瓦时'],
  ['GWh', 'energy', 1e6, 'gwh'],
  ['TWh', 'energy', 1e9, 'twh'],
  ['V', 'voltage', 1, 'v volt volts 伏'],
  ['kV', 'voltage', 1e3, 'kv 千伏'],
  ['dB', 'loudness', 1, 'db decibel decibels 分贝'],
  ['KB', 'bytes', 1e3, 'kb kilobyte kilobytes'],
  ['MB', 'bytes', 1e6, 'mb megabyte megabytes'],
  ['GB', 'bytes', 1e9, 'gb gigabyte gigabytes'],
  ['TB', 'bytes', 1e12, 'tb terabyte terabytes'],
  ['ml', 'volume', 1e-3, 'ml 毫升'],
  ['m3', 'volume', 1000, 'm3 m³ 立方米'],
  ['l', 'volume', 1, 'l litre litres liter liters 升'],
  ['%', 'share', 1, '% ％ percent per_cent'],
  ['°C', 'temperature', 1, '°c ℃ degree degrees 摄氏度'],
  ['EUR', 'money:EUR', 1, 'euro euros eur € 欧元'],
  ['USD', 'money:USD', 1, 'dollar dollars usd 美元', '$'],
  ['GBP', 'money:GBP', 1, 'gbp 英镑', '£ pound pounds'],
  ['CNY', 'money:CNY', 1, '元 块钱 rmb cny', '¥ yuan 块'],
]

const KNOWN: readonly (MeasureUnit & { readonly names: readonly string[]; readonly signs: readonly string[] })[] =
  UNITS.map(([name, dimension, factor, names, signs]) => ({
    ...{ name, dimension, factor, names: names.split(' ').map(one => one.replace('_', ' ')) },
    signs: signs?.split(' ') ?? [],
  }))
const BY_NAME = new Map(KNOWN.flatMap(unit => unit.names.map(name => [name, unit] as const)))
const BY_SIGN = new Map([...BY_NAME, ...KNOWN.flatMap(unit => unit.signs.map(sign => [sign, unit] as const))])

/** The unit that running text calls so, in any case. */
export function unitNamed(name: string): MeasureUnit | undefined {
  return BY_NAME.get(name.toLowerCase())
}

/** Signs that would be those of a billion times as much in capitals. */
const MILLI: Readonly<Record<string, MeasureUnit>> = {
  mW: { name: 'mW', dimension: 'power', factor: 1e-3 },
  mWh: { name: 'mWh', dimension: 'energy', factor: 1e-6 },
}

/** The unit that a cell or a header writes so, in any case but for `mW` and `MW`. */
export function unitWritten(sign: string): MeasureUnit | undefined {
  return MILLI[sign] ?? BY_SIGN.get(sign.toLowerCase())
}

/** A pattern of the names of units in running text, longest first; of some dimensions, or of all. */
export function namesPattern(isMeant: (dimension: string) => boolean = () => true): string {
  const names = KNOWN.filter(({ dimension }) => isMeant(dimension)).flatMap(unit => unit.names)
  return names.toSorted((a, b) => b.length - a.length).join('|')
}
