import type { Language } from '../../text/language.ts'
import type { Dimension } from '../../text/units.ts'

/** Words of one measure: `price` and `cost`, `weight` and `weigh`. */
type Measure = { readonly dimension: Dimension; readonly pattern: RegExp }

/** CLDR's quantities and money in everyday words. */
const ENGLISH: Readonly<Partial<Record<Dimension, readonly string[]>>> = {
  money: ['prices?|costs?', 'fees?|charges?', 'amounts?'],
  mass: ['weights?|mass|masses|weigh(?:s|ed|ing)?'],
  length: [
    'lengths?',
    'heights?|altitudes?|elevations?',
    'widths?',
    'depths?',
    'distances?',
    'thickness',
    'diameters?',
  ],
  area: ['areas?'],
  volume: ['volumes?', 'capacity|capacities'],
  time: ['durations?|periods?', 'age|ages', 'delays?|intervals?'],
  temperature: ['temperatures?'],
  speed: ['speeds?|velocity'],
  voltage: ['voltages?'],
  pressure: ['pressures?'],
  frequency: ['frequency|frequencies'],
  share: ['percentages?|percent|per cent|shares?|proportions?', 'rates?|ratios?'],
}
const CHINESE: typeof ENGLISH = {
  money: ['价格|单价|价', '费用?', '金额'],
  mass: ['重量|质量|体重'],
  length: ['长度', '高度|海拔', '宽度', '深度', '距离', '厚度', '直径'],
  area: ['面积'],
  volume: ['体积', '容积|容量'],
  time: ['期限|时长|工期', '年龄', '周期|间隔'],
  temperature: ['温度'],
  speed: ['速度|时速'],
  voltage: ['电压'],
  pressure: ['压力|压强'],
  frequency: ['频率'],
  share: ['比例|占比|百分比', '比率|利率|税率|率'],
}

export const MEASURES: Readonly<Record<Language, readonly Measure[]>> = {
  en: findMeasures(ENGLISH, words => new RegExp(`\\b(?:${words})\\b`, 'iu')),
  zh: findMeasures(CHINESE, words => new RegExp(words, 'u')),
}

function findMeasures(
  named: Readonly<Partial<Record<Dimension, readonly string[]>>>,
  toPattern: (words: string) => RegExp,
): readonly Measure[] {
  const all = Object.entries(named) as [Dimension, readonly string[]][]
  return all.flatMap(([dimension, measures]) =>
    measures.map(words => ({ dimension, pattern: toPattern(words) })),
  )
}
