import {
  type DocumentGroup,
  GROUPS as GROUP_NAMES,
  type InventoryGrammar,
  ORDERS,
  type Term,
  toTerms,
} from './inventory-grammar.ts'

const FORMAT =
  '(?:PDF|Word|docx?|Excel|xlsx?|csv|PPT|pptx?|Markdown|md|html?|txt|epub|电子表格|表格|幻灯片|演示文稿|电子邮件|邮件|网页|图片|照片|扫描件|电子书|文本)'
const NOUN = '(?:文件|文档|资料|文章|材料|文献)'
const COUNTED = '(?:个|份|篇|封|张|本|位|种)'
const COLLECTION =
  '(?:这里|(?:这个?|整个|我的|我们的|你的)?(?:知识库|文档库|文件库|文档集|集合|文库|资料库|数据库|库))(?:里面|里头|里|中|内)?'
const EVENT =
  '(?:新增|添加|加入|增加|上传|导入|收录|更新|修改|改动|变动|编辑|创建|撰写|编写|写|发布)'
const RELATION = '(?:(?<endRelation>以来|之后|以后|之前|以前|开始|起|后|前)|之间|间)?'
const MENTIONS = '(?:提到|提及|涉及|讲到|讲述|讲|写到|说到|谈到|谈及|谈|介绍|描述|讨论)[过了]?'

const DOCUMENT_ROLES = ['documents', 'contents', 'genre'] as const
const BY = '按照?(?:文档的?)?'
const PER = `(?:${BY}(?:所在)?|每一?[个种位类]?|各[个种位类]?)`
const GROUPED = '(?:统计|分类|分组|分布|分别|各|来|写成?)*'
const GROUPS: Readonly<Record<DocumentGroup, string>> = {
  kinds: '(?:文件)?(?:类型|格式|种类|类别|类)',
  languages: '(?:语言|语种)',
  folders: '(?:文件夹|目录)',
  years: '(?:年份|年度|年)',
  authors: '(?:作者|撰写人)',
  tags: '(?:标签|关键词|分类)',
  collections: '(?:文档集|集合|知识库|文档库|资料库)',
}
const INSIDE = '(?:里面|里|中|下面|下|写了?)?'

function toGroupTerms(): readonly Term[] {
  return GROUP_NAMES.flatMap(role => [
    { role, pattern: `(?:用|在)?${PER}${GROUPS[role]}${INSIDE}${GROUPED}的?` },
    ...(['folders', 'authors', 'tags', 'collections'].includes(role)
      ? [{ role, pattern: GROUPS[role], behind: ['which', 'count', 'list', 'filler'] } as const]
      : []),
  ])
}

const SORTED = '(?:来|的)?(?:先后)?(?:排序|排列|排一?下|顺序)?(?:的)?'

export const CHINESE_GRAMMAR: InventoryGrammar = {
  language: 'zh',
  terms: [
    ...toTerms(
      'not',
      '(?:既|并)?不(?:是|属于|包括|包含|含)|并非',
      `(?:既|并)?不(?=在.*(?:文件夹|目录)|[用以].{1,4}[文语]|[与和跟同]|关于|${MENTIONS})`,
      `非(?=${FORMAT}|.{1,4}[文语])`,
      `(?:还|都)?(?:没有?|未)(?:被)?(?=${MENTIONS}|${EVENT})`,
      '除了|除开|除(?=.*外)',
    ),
    ...toTerms(
      'count',
      `(?:多少|几)${COUNTED}?`,
      '(?:总数|数量|数目)(?:是多少|有多少)?',
      `(?<=${COLLECTION})有多大`,
      '统计(?:一下)?(?=[各每按])',
      '(?<=文档|文件)数量?',
    ),
    ...toTerms('which', '哪些', `哪几${COUNTED}`, `哪一?${COUNTED}`, '什么(?!时候)', '啥', '吗'),
    ...toTerms('measure', '什么时候', '有多[长大]'),
    ...toTerms(
      'list',
      '(?:列出来?|列一?下|列举|显示|展示|找出来?|找一?下|找找|查找|查一?下|搜索|搜一?下|给出|给我|给我看看?|看一?下|看看|查看|罗列)(?:一?下)?(?:出来)?',
      `一?${COUNTED}?(?:清单|列表|名单|一览|概览)`,
      '有没有|有无|是否有',
      '(?:排序|排列|排一?下序?)',
    ),
    ...toTerms('summary', '(?:总结|概括|汇总|归纳|概述|整理|综述)(?:一下|下)?(?:出来)?'),
    ...toTerms(
      'exists',
      '(?:可以|能)(?:看到?|查到?|读到?|搜到?|检索)(?:的)?',
      '(?:都|还|共)?(?:有|知道|收录了?|包含|存有|存了|保存了|存着|收有)(?:过)?',
    ),
    ...toTerms(
      'here',
      `在?${COLLECTION}`,
      `在?(?:(?:这些|所有|全部)${NOUN}(?:里面|里|中)|${NOUN}(?:里面|里|中)(?=.*(?:关于|有关|涉及)))`,
    ),
    ...toTerms(
      'documents',
      `(?:(?<format>${FORMAT})(?:格式)?的?)?${NOUN}(?:名称|名|标题)?`,
      `${NOUN}(?:里面|里|中)(?=都|也|有?${MENTIONS})`,
      '(?<format>PDF|PPT|电子表格|表格|幻灯片|演示文稿|电子邮件|邮件|网页|图片|照片|扫描件|电子书)',
    ),
    ...toGroupTerms(),
    ...toTerms('languages', '用?(?:语言|语种)(?:写成?)?的?'),
    ...toTerms('years', `${BY}(?:日期|时间)${GROUPED}的?`),
    { role: 'language', pattern: '(?:(?:是)?[用以])?', end: '(?:(?:来?(?:撰写|书写|写成?))?的)?' },
    ...toTerms('filler', '用(?=哪|什么|几)'),
    ...toTerms('contents', '内容', '信息', '东西', '(?<=什么)变化', '(?<=[总概汇归概整综].*)一切'),
    ...toTerms(
      'newest',
      `${BY}(?<all>日期|时间)(?:从新到旧|从晚到早)?${SORTED}`,
      `(?<all>从新到旧)${SORTED}`,
    ),
    ...toTerms('oldest', `(?:${BY}(?:日期|时间))?(?<all>从旧到新|从早到晚)${SORTED}`),
    ...toTerms('longest', `${BY}(?<all>长度|篇幅|字数|页数)(?:从[长多]到[短少])?${SORTED}`),
    ...toTerms('shortest', `(?:${BY}(?:长度|篇幅|字数|页数))?(?<all>从[短少]到[长多])${SORTED}`),
    ...toTerms('largest', `${BY}(?:文件)?(?<all>大小)(?:从大到小)?${SORTED}`),
    ...toTerms('smallest', `(?:${BY}(?:文件)?大小)?(?<all>从小到大)${SORTED}`),
    ...toTerms(
      'newest',
      '最新的?',
      '最近的',
      `(?:最后|最近|最新|最晚)(?:一次)?(?<event>${EVENT})的?`,
    ),
    ...toTerms('oldest', '最旧的?|最老的?|最早的?', `(?:最早|最先|最初)(?<event>${EVENT})的?`),
    ...toTerms('longest', '最长的?', '(?:页数|字数|文字|篇幅)最[多长]的?'),
    ...toTerms('shortest', '最短的?', '(?:页数|字数|文字|篇幅)最[少短]的?'),
    ...toTerms('largest', '最大的?'),
    ...toTerms('smallest', '最小的?'),
    { role: 'number', pattern: `前?(?<number>\\d{1,3}|[两三四五六七八九十])${COUNTED}` },
    ...toTerms('recent', '最近|近期|近来|新(?=的?(?:内容|文|资|材|东西))'),
    { role: 'event', pattern: '(?<event>新增|新加)了?(?:的)?' },
    { role: 'event', pattern: `(?:新)?(?<event>${EVENT})(?:了|过|的)(?:的)?` },
    {
      role: 'event',
      pattern: '(?<event>变化|变动|改动|更新|修改)',
      behind: ['which', 'exists', 'documents', 'contents'],
    },
    {
      role: 'event',
      pattern: '(?<event>变|改|更新)了',
      behind: ['documents', 'exists', 'date', 'which'],
    },
    {
      role: 'date',
      pattern: '(?:(?<relation>自从|从|自|早于|晚于|截至|截止到?)|在)?',
      end: `${RELATION}(?:的|到现在|至今|到今天)?`,
    },
    {
      role: 'folder',
      pattern: '在?',
      end: '(?:这个)?(?:文件夹|目录)(?:里面|里|中|下面|下|内)?的?',
    },
    {
      role: 'topic',
      pattern: '(?:是|都是)?(?:关于|有关|涉及)',
      end: '(?:的|$|,|(?=[你我您咱有都]))',
    },
    { role: 'topic', pattern: '(?:跟|与|和|同)', end: '(?:有关|相关)(?:的|$)' },
    {
      role: 'topic',
      pattern: '',
      end: '(?:方面|相关|有关)的?',
      behind: ['exists', 'filler', 'list', 'which', 'count', 'here', 'summary', 'language'],
    },
    {
      role: 'topic',
      pattern: MENTIONS,
      end: '的',
      behind: [
        'start',
        'exists',
        'filler',
        'list',
        'which',
        'count',
        'here',
        'summary',
        'date',
        'not',
      ],
    },
    {
      role: 'topic',
      pattern: `都?${MENTIONS}`,
      end: '(?:的)?$',
      behind: [...DOCUMENT_ROLES, 'filler', 'not'],
    },
    { role: 'attribute', pattern: PER, end: `${INSIDE}${GROUPED}的?` },
    { role: 'genre', pattern: '', end: '', behind: ['not', 'and'] },
    {
      role: 'and',
      pattern: '和|及|或者?|以及|也不(?:是|属于)?|也没有?(?:被)?',
      behind: ['documents', 'genre', 'language', 'topic'],
    },
    ...toTerms(
      'filler',
      '(?:以|之)外|外',
      '一共|总共|共计|共',
      '现在|目前|当前|现有|已经|已',
      '所有|全部|每[个份篇]|任何|各种',
      '我们|你们|咱们|您|你|我',
      '这些|那些|其中|里面',
      '(?:类型|格式|种类)',
      '如何|怎么?样|情况|最多|分别|各(?=有|多少|几)',
      '写(?=的)',
      `一?${COUNTED}`,
      '都|的|是|在|把|将|对|一下|了|被|还|也',
    ),
    {
      role: 'genre',
      pattern: '',
      end: '',
      behind: [
        'start',
        'which',
        'count',
        'list',
        'exists',
        'here',
        'filler',
        'number',
        'recent',
        'date',
        'language',
        ...ORDERS,
      ],
      notBefore: ['documents', 'contents'],
    },
  ],
  normalize: text =>
    text
      .replace(/(?<=[^A-Za-z0-9]) +| +(?=[^A-Za-z0-9])/gu, '')
      .replace(/[跟与和同]([^跟与和同,]+)无关/gu, '不与$1有关')
      .replace(/^(?!.*除)(?=.*[以之]外)/u, '除')
      .replace(
        /^(?:请问一?下?|请你?|麻烦你?|帮我|帮忙|告诉我|我想(?:知道|看看?)|(?:能不能|能否|可以|你能)(?=[请帮给把将列显展找总概汇归告])|[把将](?=.*(?:列|找|总结|概括|汇总|归纳|概述|整理)))+|(?:呢|啊|呀|吧)$/gu,
        '',
      ),
  clause: /什么|哪|谁|多少|怎|如何|是否|吗|呢|需要|应该|应当|必须|可以|能否|[？！；。]/u,
  bare: /^[的了是在个份这那些所有全部最新旧]+$/u,
  genre: /^\p{Script=Han}{2,8}$/u,
  since: /^(?:从|自|自从|以来|之后|以后|开始|起|后)$/u,
  after: /^晚于$/u,
  before: /^(?:之前|以前|前|早于)$/u,
  until: /^截[至止]到?$/u,
  between: /[到至~～–—]/u,
  added: /^(?:新增|新加|添加|加入|增加|上传|导入|收录)$/u,
  changed: /^(?:更新|修改|改动|变化|变动|编辑|变|改)$/u,
  numerals: { 两: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9, 十: 10 },
  addYear: (date, year) => `${year}年${date}`,
}
