import { CARDINALS } from './number-words.ts'

/** What kind of answer a question waits for, and how a sentence looks that has one. */
type Cue = { readonly asks: RegExp; readonly tells: RegExp }

const HAN_UNIT =
  '[个年月日天周时分秒元次倍项条款人家万亿%％吨台辆米]|[欧美日]元|英镑|小时|分钟|公[里斤]|厘米|毫米|平方|以上|以下|以内'
export const NUMBER = new RegExp(
  String.raw`\d|[零一二两三四五六七八九十百千万亿半](?:${HAN_UNIT})|(?!万一|一一)[一二两三四五六七八九十][零一二三四五六七八九十百千万亿]+|百分之|\b(?:half|${CARDINALS.filter(word => word !== 'zero').join('|')})s?\b`,
  'i',
)
export const DATE =
  /\d{1,2}\s*[时点](?!\d)|\d{1,2}:\d\d|\b\d{1,2}\s?[ap]\.?m\b|(?:周|星期)[一二三四五六日天]|\d{4}\s*[年./-]|\d{1,2}\s*[月日]|[一二三四五六七八九十][月日年]|\b(?:19|20)\d\d\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|daily|weekly|monthly|annually)\b|\d+\s*(?:天|日|周|个月|年|小时|分钟|days?|weeks?|months?|years?|hours?|minutes?)|after|before|until|之前|之后|以前|以后|届满|起施行/i

const REASON: Cue = {
  asks: /为什么|为何|原因|理由|\bwhy\b|\breasons?\b/i,
  tells:
    /因为|由于|因此|所以|为了|以免|避免|防止|原因|理由|导致|说明|because|since|due to|so that|in order to|reason|therefore|otherwise|avoid|prevent/i,
}

const CUES: readonly Cue[] = [
  {
    asks: /多少|多久|多长|多大|多高|几[个天次年月日周名位种项%]|上限|下限|期限|限额|how (?:many|much|long|often|old|large|big|high|fast|far|soon|heavy|tall|wide|deep|thick|loud|hot|warm|cold)\b|\b(?:percentage|percent|number of|amount|limit|maximum|minimum|price|cost|fee|rate)\b|^(?:what|which) (?:was|were|is|are|did|does|do)?\b.*\b(?:sales|revenue|income|profit|loss|earnings|ebitd?a?|margin|debt|cash flow|expenses?|expenditure|dividend|guidance|salary|budget|temperature|pressure|voltage|weight|height|width|depth|length|distance|speed|capacity|spacing|gap|clearance|thickness|size|age|duration|port|version|score)\b|(?:价格|金额|费用|收入|利润|成本|比例|占比|温度|重量|长度|高度|宽度|容量|版本|端口|年龄)是/i,
    tells: NUMBER,
  },
  {
    asks: /什么时候|何时|几点|几时|星期几|周几|哪一?[天年月]|时间|日期|\bwhen\b|(?:what|which) (?:date|day|month|year|time)/i,
    tells: DATE,
  },
  REASON,
  {
    asks: /谁|哪个(?:部门|机构|单位|公司|人)|由谁|\bwho(?:m|se)?\b/i,
    tells:
      /由|负责|部门|委员会|机构|人员|经理|主管|局|院|\bby\b|\b(?!The\b|A\b|An\b|It\b|This\b|In\b|If\b)[A-Z][a-z]+\s+[A-Z][a-z]+|responsible|manager|director|officer|team|committee|department/,
  },
  {
    asks: /是否|能否|可否|(?:可以|能|要).{0,200}吗|[吗么]\s*[?？]?$|^(?:is|are|was|were|do|does|did|can|could|may|must|should|shall|will|has|have)\b/i,
    tells:
      /不得|不能|适用|有权|无权|不可|不应|禁止|严禁|必须|应当|可以|可|允许|需|无需|\b(?:must|shall|may|can|cannot|should|not|never|only|required|allowed|permitted|prohibited|optional|included?|excluded?|exempt|covered|possible)\b/i,
  },
  {
    asks: /\b(?:which|what)\s(?:\w+\s)?(?:keys?|hotkeys?|shortcuts?)\b|[哪什][个么]?键|快捷键|组合键/i,
    tells: /\b(?:press(?:ing|ed)?|hit|hold)\b|\bF\d{1,2}\b|\b(?:Ctrl|Alt|Shift|Cmd|Esc|Enter|Tab|Del)\b|按/i,
  },
  {
    asks: /\b(?:which|what)\s(?:\w+\s){0,2}(?:options?|flags?|switch(?:es)?|parameters?|arguments?)\b|(?:哪个|什么|哪些)[^，。？]{0,4}(?:选项|参数|动作)/i,
    tells: /(?<![\p{L}\p{N}-])--?\p{L}|(?<!\p{L})\p{Ll}[\p{L}\p{N}_./-]*=\S/u,
  },
  {
    asks: /什么是|是什么意思|定义|含义|是指|^what (?:is|are) (?:an? |the )?[\w -]+\??$|\b(?:mean|define|definition)\b/i,
    tells: /是指|指的是|所称|称为|即|定义|\bis (?:an?|the)\b|\bare\b|\bmeans?\b|refers? to|defined as|known as/i,
  },
]

const LIST =
  /哪些|哪几|列出|列举|都有什么|有什么(?:要求|条件|规定|情形)|^(?:what|which) (?:are|were) (?:the )?(?:\w+[\s-]){0,3}\w+s\b|\b(?:list|name|enumerate) (?:all|the|every)\b|^(?:which|what) (?!(?:is|was|does|has)\b)(?:\w+ ){0,2}\w+[^s\W]s\b/i

/** What a list is called in a question, and seldom in the text that has it: `the steps`, `things`, `哪些情形`. */
const LIST_NOUNS =
  /\b(?:steps?|things?|items?|points?|kinds?|types?|sorts?|ways?|examples?|list)\b|步骤|事项|种类|方面|东西|内容/giu

/** A question for a list without what a list is called. */
export function withoutListNouns(question: string): string {
  const bare = question.replace(LIST_NOUNS, ' ')
  return asksForList(question) && /[\p{L}\p{N}]{3}/u.test(bare) ? bare : question
}

/** Several things are asked for. */
export function asksForList(question: string): boolean {
  return LIST.test(question.trim())
}

/** It asks why, and a text has the form of a reason. */
export function tellsReason(question: string, text: string): boolean {
  return REASON.asks.test(question) && REASON.tells.test(text)
}

/** How far a text has the form of the answer waited for, 0 to 1; undefined when the question waits for no form. */
export function cueFit(question: string, text: string): number | undefined {
  const cues = CUES.filter(cue => cue.asks.test(question))
  if (cues.length === 0) return undefined
  return cues.filter(cue => cue.tells.test(text)).length / cues.length
}
