const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
const DATE = `(?:\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}|${MONTH} \\d{1,2}|\\d{4}-\\d\\d-\\d\\d|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4})`
const TIME = `(?:(?:\\d+|one|two|three|four|five|six|seven|ten|twelve|fourteen|thirty|sixty|ninety)[ -](?:working |business |calendar )?(?:days?|weeks?|months?|hours?|years?))`
const HAN_DATE = '(?:(?:\\d{4}年)?\\d{1,2}月(?:\\d{1,2}[日号]|底|末|初|中旬)?|\\d{4}-\\d\\d-\\d\\d|年底|月底|季度末)'
const HAN_TIME = '(?:\\d+|[一二两三四五六七八九十百]+)个?(?:工作日|自然日|天|日|周|星期|月|年|小时)'

/** What a thing of one kind looks like wherever it stands, however a text calls it. */
type Form = { readonly noun: RegExp; readonly tells: RegExp }

const FORMS: readonly Form[] = [
  {
    noun: /\b(?:deadlines?|due dates?|cut-?off dates?|closing dates?)\b|截止(?:日期|时间|日)?|最后期限|期限/giu,
    tells: new RegExp(
      `\\b(?:by|until|before|no later than|not later than|within|due(?: on| by)?|deadlines?\\b.{0,40}?|closes?(?: on)?|closing|expires?(?: on)?)\\s(?:the )?(?:end of )?(?:${DATE}|${TIME}|${MONTH}\\b)|(?:${HAN_DATE}|${HAN_TIME})(?:之?前|以前|之?内|以内|截止)|截止.{0,12}?${HAN_DATE}|推迟到${HAN_DATE}`,
      'iu',
    ),
  },
  { noun: /\bdates?\b|日期/giu, tells: new RegExp(`${DATE}|${HAN_DATE}`, 'iu') },
  {
    noun: /\be-?mail addresses\b|\be-?mails?\b|电子邮[件箱](?:地址)?|邮箱(?:地址)?/giu,
    tells: /[\w.+-]+@[\w-]+\.\w+/u,
  },
  {
    noun: /\b(?:tele)?phone numbers?\b|联系电话|电话(?:号码)?|手机号码?/giu,
    tells: /\+\d[\d\s()-]{6,}\d|\b\d{3,4}[-\s]\d{3,4}[-\s]?\d{3,4}\b|\b1\d{10}\b/u,
  },
  { noun: /\burls?\b|\bweb ?sites?\b|\bweb addresses\b|网址|链接/giu, tells: /https?:\/\/|\bwww\./iu },
]

/** What a question lists that is told by its form, and what is left of the question. */
export type ListedForm = {
  readonly tells: RegExp
  /** Under a heading that has its name, a date or a number is enough. */
  readonly isCalled: (heading: string) => boolean
  readonly rest: string
}

/** Where a question lists deadlines, dates, addresses or numbers of telephones: these need no word of it. */
export function listedForm(question: string): ListedForm | undefined {
  const form = FORMS.find(({ noun }) => question.search(noun) >= 0)
  return (
    form && {
      tells: form.tells,
      isCalled: heading => heading.search(form.noun) >= 0,
      rest: question.replace(form.noun, ' '),
    }
  )
}
