import { createNumberForm, type Grammar, listClauses } from './grammar.ts'

/** Chinese question forms (Lü Shuxiang, 现代汉语八百词, 1999). */
const DOCUMENT = '(?:文件|文档|文章|报告|资料|论文|手册|材料|合同|书|文|PDF)'
const THIS = '(?:(?:这|那|该|本|此|全|所有|全部|上述)?(?:几|一)?(?:份|篇|个|些|本|部)?'
const CONTENT = '(?:的?(?:主要|大致|核心|全部|整体)?(?:内容|大意|要点|主题|重点))?'
/** Subject of an overview other than 这份文件. */
const ABOUT = `(?:${THIS}${DOCUMENT}?)|(?<about>(?:(?!关于).){1,40}?))`

export const CHINESE: Grammar = {
  language: 'zh',
  between: /[?？!！；;，,]+/gu,
  forms: [
    {
      pattern: /除了?(?<excluded>[^，,]{1,30}?)(?:之外|以外|外)?(?:[，,]|$|还|都)/u,
      isPolite: true,
    },
    {
      pattern:
        /请问|请(?:告诉|给|帮)我?(?:说明|介绍)?|请说明|我想(?:知道|问|了解)(?:一下)?|想问一?下|麻烦(?:问)?一?下|能(?:不能|否)?告诉我/gu,
      isPolite: true,
    },
    ...listClauses('overview', 'u', [
      `(?:请你?)?(?:能不能|能否|可以)?(?:帮我|给我)?(?:用.{1,8})?(?:简单|简要|大致)?地?(?:总结|概括|概述|归纳|简述|简介|介绍|摘要)(?:一下|下)?${ABOUT}?${CONTENT}(?:吧|吗)?`,
      `${ABOUT}(?:主要|大概|大致|到底|都|究竟)?是?在?(?:关于|讲|说|写|介绍|谈|涉及|讨论|包含)(?:了|的|的是|述了|述的是)?些?(?:什么|啥|哪些)(?:内容|方面|东西|主题|事情|的)?[呢啊呀]?`,
      `${ABOUT}的?(?:主要|大致|核心)?(?:内容|大意|要点|主题)(?:是|有)(?:什么|啥|哪些)呢?`,
      `(?:这|那|它)是(?:什么|啥)样?的?${DOCUMENT}`,
      `${THIS}${DOCUMENT})是?(?:什么|啥)(?:文件|文档|内容|东西)?`,
    ]),
    {
      pattern:
        /(?:列出|列举|找出)(?:所有|全部|每一?[个项条])?的?|(?:所有|全部)的?(?=.{1,20}(?:有哪些|是哪些|是什么))/u,
      kind: 'list',
    },
    {
      pattern:
        /是?(?:怎么|如何|怎样)(?:说明?|讲|规定)的?|有(?:什么|哪些)(?:说明|规定|介绍)|(?:说明?|讲|写|谈|提到?|介绍|规定)了些?(?:什么|啥|哪些)(?:内容)?/u,
      kind: 'list',
    },
    {
      pattern:
        /为什么|为何|为啥|(?:是)?(?:什么|何种|哪些)(?:原因|理由)|(?:的)?(?:原因|理由)(?:是|有)(?:什么|哪些)|怎么会/u,
      kind: 'fact',
    },
    {
      pattern:
        /(?:是)?(?:什么|啥)意思|(?:的)?(?:定义|含义)(?:是什么)?|(?:是)?指(?:的是)?(?:什么|哪些)|^什么(?:是|叫做?)|如何定义/u,
      kind: 'fact',
    },
    {
      pattern:
        /(?:一共|总共|合计|共计|总计)(?:是|有)?(?=.{0,12}(?:多少|几))|总(?:数|额|量|和)(?:是|为)?(?:多少)?/u,
      valueType: 'number',
    },
    { pattern: /平均(?:值|数)?/u, valueType: 'number' },
    {
      pattern:
        /(?:有)?(?:多少|(?<!哪)几)(?=(?<asked>[个名位台辆间份项条种类家所座栋本张次层款批户]))/u,
      valueType: 'number',
      dimensions: ['count'],
      isCount: true,
    },
    createNumberForm(
      /多(?:久|长时间)|(?:多少|(?<!哪)几)(?=(?<asked>个?月|天|日|年|周|小时|分钟|秒|个?工作日|个?星期))/u,
      'time',
    ),
    createNumberForm(
      /多少钱|(?:多少|(?<!哪)几)(?=(?<asked>元|块|美元|欧元|万元|人民币))|多贵/u,
      'money',
    ),
    createNumberForm(
      /多[高远宽深厚长](?![时久])|(?:多少|(?<!哪)几)(?=(?<asked>米|公里|千米|厘米|毫米))/u,
      'length',
      'time',
    ),
    createNumberForm(/多重|(?:多少|(?<!哪)几)(?=(?<asked>公斤|千克|克|吨|斤))/u, 'mass'),
    createNumberForm(/多少度|几度/u, 'temperature', 'angle'),
    createNumberForm(/百分之(?:多少|几)|几成|几折/u, 'share'),
    { pattern: /几[点时]|什么时间/u, valueType: 'other' },
    {
      pattern:
        /什么时候|何时|哪[一几]?个?[天年日月周]|几[月号]|(?:周|星期)几|(?:的)?(?:日期|时间)(?:是)?(?:什么|哪天)?$/u,
      valueType: 'other',
    },
    createNumberForm(/多[少大快]|(?<!哪)几(?:[倍级岁人条项页楼])?(?![乎何])/u),
    {
      pattern: /(?:是|由|找|归|向|跟)?(?:谁|哪(?:一?位|个人|个部门|个单位|个机构)|什么人|何人)/u,
      valueType: 'other',
    },
    { pattern: /(?:在|位于|去|到|从)?(?:哪里|哪儿|何处|什么地方|哪个地方)/u, valueType: 'other' },
    {
      pattern:
        /(?:有|是|包括|包含|需要|分)?(?:哪些|哪几\p{Script=Han})(?:步骤|事项|种类|方面|东西|内容|情况|情形)?|(?:步骤|流程|程序)(?:是什么|有哪些)?/u,
      kind: 'list',
    },
    { pattern: /(?:应该|应当|该|要|需要|可以|能)?(?:如何|怎么办?|怎样|咋)/u, kind: 'steps' },
    {
      pattern:
        /(?:是否|能否|可否|有没有|是不是|能不能|可不可以|会不会|要不要|该不该|用不用)|吗$|(?<![什怎多这那要])么$/u,
      kind: 'fact',
    },
    { pattern: /^(?<keep>[^，,的]{1,24}?)(?:是|叫)(?:个)?(?:什么|啥)$/u, kind: 'fact' },
    { pattern: /(?:分别)?(?:是|有|为|叫|属于)?(?:什么|啥|哪(?:一?[个种项款类条家])?)/u },
  ],
  roles: [/^(?<subject>[^?]{1,60})的(?<asked>[^的?]{1,12}) *\? *$/u],
  orders: [
    { pattern: /最(?:便宜|低价)/u, direction: 'least', dimension: 'money' },
    { pattern: /最贵/u, direction: 'most', dimension: 'money' },
    { pattern: /最[早先]|最老/u, direction: 'least', dimension: 'time' },
    { pattern: /最[晚迟新]|最近/u, direction: 'most', dimension: 'time' },
    { pattern: /最轻/u, direction: 'least', dimension: 'mass' },
    { pattern: /最重(?!要)/u, direction: 'most', dimension: 'mass' },
    {
      pattern: /最(?:少|低|小|短|慢|近|窄|浅|薄|差|弱)(?!要)|(?:倒数)/u,
      direction: 'least',
    },
    {
      pattern: /最(?:多|高|大|长|快|远|宽|深|厚|好|强)(?![可能限])/u,
      direction: 'most',
    },
  ],
  fragments: [
    /^(?:那么?|还有|而|但|至于|换成|如果是|要是)?(?!.*[它他她这其该])(?<of>[^，,]+?)的?(?:的话)?呢$/u,
    /^(?:那么?|换成|如果是|要是)(?!.*[它他她这其该])(?<of>[^，,]{1,12}?)(?:的话)?$/u,
    /^(?!.*[它他她这其该])(?<of>[^，,]{1,6})$/u,
  ],
  conjunction: /^\s*(?:和|与|及|以及|跟|、)\s*$/u,
  lead: /(?!)/u,
  names: /(?!)/gu,
}
