import type { CatalogForms } from './catalog-forms.ts'

const FORMAT =
  '(?:PDF|Word|docx?|Excel|xlsx?|csv|PPT|pptx?|Markdown|md|html?|txt|epub|电子表格|表格|幻灯片|演示文稿|电子邮件|邮件|网页|图片|照片|扫描件|电子书|文本)'
const NOUN = `(?<noun>(?:${FORMAT}(?:格式)?的?)?(?:文件|文档|资料)|(?:PDF|邮件|电子邮件|网页|图片|照片|扫描件|幻灯片|电子书))`
const COUNTED = '(?:个|份|篇|封|张)'
const WHICH = '(?:哪些|什么|哪几(?:个|份|篇))'
const ALL = '(?:所有|全部|现有)?的?'
const COLLECTION =
  '(?:这里|这个?(?:知识库|集合|文件夹|文库|资料库|库)|知识库|集合|文库|资料库|库)(?:里面?|中)?'
const HERE = `(?:现在|目前)?(?:${COLLECTION}|我们?|你们?|您)?(?:现在|目前)?(?:一共|总共|共)?`
const HAS = '(?:都?有|收录了?|包含|存有|能(?:看到|查到|读到)|上传了|添加了)'
const ABOUT = '(?:(?:是|都)?(?:关于|有关|涉及|提到|提及|讲到?|说到|谈到?|介绍|包含)了?)'
const EVENT = '(?<event>新增|添加|加入|上传|更新|修改|改动|变化|变动|编辑|创建|写)'
const SINCE = '(?<relation>以来|之后|以后|之前|以前|起|后|前)?'
const WHEN = `(?:从|自)?(?<date>[^的，,]{2,14}?)${SINCE}`
/** A topic, or a date and a topic. */
const TOPIC_BEFORE = `${ALL}(?:(?:关于|有关|涉及|提到|介绍)(?<topic>.{1,60}?)的)?${ALL}`
const DATED_BEFORE = `${WHEN}(?:${EVENT}了?)?的${TOPIC_BEFORE}`
const BEFORE = 'BEFORE'
const FOLDER = '(?:在?(?<folder>[^\\s，,的在]{1,40}?)(?:文件夹|目录)(?:里面?|中|下面?)的?)?'
const SUPERLATIVE = '(?<order>最新|最近|最旧|最老|最早|最长|最短|最大|最小)'

function toPatterns(form: string): readonly RegExp[] {
  const forms = [TOPIC_BEFORE, DATED_BEFORE].map(before => form.replace(BEFORE, before))
  return [...new Set(forms)].map(complete => new RegExp(`^${complete}$`, 'iu'))
}

type Wants = CatalogForms['forms'][number]['wants']

function toForms(wants: Wants, forms: readonly string[]): CatalogForms['forms'] {
  return forms.flatMap(toPatterns).map(pattern => ({ wants, pattern }))
}

/** Verbs say that documents exist, change, or are about something. */
export const CHINESE_FORMS: CatalogForms = {
  language: 'zh',
  courtesy: /^(?:请问一?下?|请你?|麻烦你?|帮我|给我|能不能|能否|可以)+|(?:呢|啊|呀)$/gu,
  forms: [
    ...toForms('order', [
      `${HERE}${FOLDER}${SUPERLATIVE}的(?<number>\\d{1,3}|[两三四五十])?(?:一?${COUNTED})?${NOUN}(?:是|有)?(?:${WHICH}|哪一?${COUNTED})?`,
      `${HERE}${FOLDER}哪一?${COUNTED}${NOUN}(?:是)?${SUPERLATIVE}(?:的)?`,
    ]),
    ...toForms('count', [
      `${HERE}${FOLDER}(?:${HAS})?(?:多少|几)${COUNTED}?${BEFORE}${NOUN}`,
      `${HERE}${FOLDER}(?:${HAS})?(?:多少|几)${COUNTED}?${NOUN}${ABOUT}(?<topic>.{1,60}?)的?`,
      `${HERE}${FOLDER}${BEFORE}${NOUN}(?:一共|总共|共)?有?(?:多少|几)${COUNTED}?`,
      `${HERE}${FOLDER}${TOPIC_BEFORE}${NOUN}的?(?:总数|数量)(?:是多少)?`,
    ]),
    ...toForms('changes', [
      `${WHEN}(?:${WHICH}|${HERE}${HAS}(?:${WHICH})?|${HERE})?(?:${NOUN})?(?:有)?${EVENT}了?(?:${WHICH})?(?:内容|${NOUN.replace('<noun>', '<nounBehind>')})?`,
    ]),
    ...toForms('list', [
      `(?:列出|列一下|列举|显示|找出|给出)${FOLDER}${BEFORE}${NOUN}`,
      `${HERE}${FOLDER}${HAS}${WHICH}${BEFORE}${NOUN}`,
      `${HERE}${FOLDER}${BEFORE}${NOUN}都?(?:有|是)${WHICH}`,
      `${HERE}${FOLDER}(?:${HAS})?${WHICH}${NOUN}(?:里|中)?${ABOUT}(?<topic>.{1,60}?)的?`,
      `${HERE}${FOLDER}有没有${BEFORE}${NOUN}`,
      `${HERE}${FOLDER}有${BEFORE}${NOUN}吗`,
    ]),
    ...toForms('summary', [
      `(?:总结|概括|汇总|归纳|概述|整理)(?:一下|下)?(?:所有|全部|一切)?(?:关于|有关|涉及)(?<topic>.{1,60}?)的(?:所有|全部|一切)?(?:内容|信息|资料|文件|文档|东西)?`,
      `${HERE}(?:都?有)(?:${WHICH})(?:关于|有关)(?<topic>.{1,60}?)的(?:内容|信息|东西)`,
    ]),
  ],
  orders: [
    [/^(?:最新|最近)$/u, 'newest'],
    [/^(?:最旧|最老|最早)$/u, 'oldest'],
    [/^最长$/u, 'longest'],
    [/^最短$/u, 'shortest'],
    [/^最大$/u, 'largest'],
    [/^最小$/u, 'smallest'],
  ],
  conditions: [],
  documentWords: /(?:格式)?的?(?:文件|文档|资料)$/u,
  since: /^(?:以来|之后|以后|起|后)$/u,
  after: /(?!)/u,
  before: /^(?:之前|以前|前)$/u,
  added: /^(?:新增|添加|加入|上传)$/u,
  changed: /^(?:更新|修改|改动|变化|变动|编辑)$/u,
  numerals: { 两: 2, 三: 3, 四: 4, 五: 5, 十: 10 },
}
