/** What is asked for by a word that its answer need not have, since a unit or a form says it: `12 kg` is a weight. */
type Measured = { readonly asked: RegExp; readonly tells: RegExp }

const MEASURED: readonly Measured[] = [
  {
    asked: /\b(?:price|cost|charge|fare)s?$|(?:价格|价钱|费用|售价|单价)$/iu,
    tells:
      /[€$£¥￥]\s?\d|\d\s?[€$£¥]|\b(?:EUR|USD|GBP|CHF|CNY|RMB|JPY|NOK|SEK|DKK)\s?\d|\d\s*(?:euros?|dollars?|pounds?|cents?|pence|[万亿]?元)|免费|\bfree\b/iu,
  },
  {
    asked: /\bweight$|重量$/iu,
    tells: /\d\s*(?:kg|g|t|lbs?|tons?|tonnes?|grams?|kilos?|公斤|千克|克|吨|斤)(?!\p{L})/iu,
  },
  {
    asked:
      /\b(?:duration|period|length|time|term|validity|lifetime|age|date|day)$|(?:期限?|时间|时长|年限|日期|年龄)$/iu,
    tells:
      /\d\s*-?(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?)\b|[\d一二三四五六七八九十半两]\s*个?(?:天|日|周|月|年|小时|分钟|秒|岁)|\b(?:19|20)\d\d\b|\d:\d\d/iu,
  },
  {
    asked:
      /\b(?:length|height|width|depth|diameter|distance|size|area)$|(?:长度|高度|宽度|深度|直径|距离|面积|尺寸|大小)$/iu,
    tells: /\d\s*(?:mm|cm|km|m|inch(?:es)?|feet|met(?:re|er)s?|[kmgt]i?b|m²|平方米|毫米|厘米|公里|米)(?![\p{L}\d])/iu,
  },
  { asked: /\btemperature$|温度$/iu, tells: /\d\s*(?:°|℃|degrees?\b|摄氏度|度)/iu },
  { asked: /\b(?:phone|telephone|fax)(?:\s+number)?$|(?:电话|手机|传真)(?:号码?)?$/iu, tells: /\+?\d[\d\s-]{5,}\d/u },
  {
    asked: /\bcolou?r$|颜色$/iu,
    tells:
      /\b(?:black|white|gr[ae]y|silver|gold(?:en)?|red|orange|yellow|green|blue|turquoise|purple|violet|pink|brown|beige)\b|[黑白灰银金红橙黄绿蓝青紫粉棕褐]色/iu,
  },
  {
    asked: /(?<!(?:mail|web|\bip|\bmac|internet|network|site|contact)\s)\baddress$|(?<!邮箱|网络|网|件)地址$/iu,
    tells:
      /\b\d{1,5}[a-z]?,?\s(?:\p{Lu}[\p{L}'’.-]{0,30}\s){1,4}(?:Road|Rd|Street|St|Avenue|Ave|Lane|Drive|Square|Court|Way|Boulevard|Place|Quay|Hill|Park)\b|\p{L}{2,30}(?:stra(?:ss|ß)e|gade|vej|gatan?|gate|veien|weg|platz|allee|straat)\s\d|[路街巷弄道]\s?\d{1,5}\s?号/u,
  },
  { asked: /\be-?mail(?:\s+address)?$|邮箱$/iu, tells: /\S@\S/u },
]

/** Words that say nothing of what is asked for: `the amount of entropy` asks for entropy. */
const LIGHT =
  /^(?:(?:the|total|exact|current|main|average|minimum|maximum|lowest|highest|usual|full)\s+)*(?:amount|number|level|degree|value|kind|type|sort|share|percentage|proportion|name|meaning|definition|purpose|reason|difference|content|rest|result|way|part|list|limit|maximum|minimum)s?$|^(?:数量|数目|名称|名字|比例|程度|内容|定义|含义|意思|原因|区别|目的|作用|上限|下限|方式|方法|结果|情况)$/iu

/** The word asks for nothing that a text could lack. */
export function isLight(asked: string): boolean {
  return LIGHT.test(asked.trim())
}

/** The text has the unit or the form of what is asked for. */
export function tellsByForm(asked: string, text: string): boolean {
  return MEASURED.some(one => one.asked.test(asked.trim()) && one.tells.test(text))
}
