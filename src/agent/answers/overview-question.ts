import type { Document } from '../../ingest/catalog/document.ts'
import type { AskRequest } from '../answer.ts'

const THING = '(?:document|file|paper|pdf|text|report|book|article|manual|guide|page|doc|contract|letter|collection)s?'
const THIS = `(?:(?:this|that|these|those|the|it|they|my|all)\\s*)*(?:${THING})?`
const WISH = '(?:please|can you|could you|would you|kindly|i want you to|help me)?\\s*'
const SUMMARY =
  '(?:a |an |the )?(?:short |brief |quick |general )?(?:summary|overview|gist|outline|main points?|key points?)'
const ZH_THING =
  '(?:(?:这|那|该|本|此|全|所有|全部)?(?:几|一)?(?:份|篇|个|些|本|部)?(?:文件|文档|文章|报告|资料|论文|手册|材料|合同|书|文|PDF)?)'
const ZH_CONTENT = '(?:的?(?:主要|大致|核心|全部|整体)?(?:内容|大意|要点|主题|重点))?'
/** No word of it may be put together from others, or a repeated wish could be read in as many ways as 2 to their number. */
const ZH_WISH = '(?:请|帮我|麻烦|给我|你|能不能|能否|能){0,8}(?:用.{1,8})?(?:简单|简要|大致)?(?:地)?'

/** The ways to ask for the whole rather than for something in it. */
const WHOLE: readonly RegExp[] = [
  new RegExp(
    `^(?:so )?what(?:'s|’s| is| are| does| do)?\\s*${THIS}\\s*(?:is |are )?(?:all |mainly |mostly |generally )?(?:about|cover|say|contain|discuss|deal with)$`,
  ),
  new RegExp(`^what kind of ${THING} (?:is|are) (?:this|these|it|that)$`),
  new RegExp(`^what(?:'s|’s| is) in ${THIS}$`),
  new RegExp(
    `^${WISH}(?:summari[sz]e|sum up|describe|outline|tell me about|explain)\\s*${THIS}(?: (?:briefly|for me|please|in .{1,30}))?$`,
  ),
  new RegExp(`^${WISH}(?:give me |write |make |provide )?${SUMMARY}(?: of ${THIS})?$`),
  new RegExp(`^what (?:is|are) ${SUMMARY}(?: of ${THIS})?$`),
  new RegExp(`^${ZH_WISH}(?:总结|概括|概述|归纳|简述|简介|介绍|摘要)(?:一下|下)?${ZH_THING}${ZH_CONTENT}(?:吧|吗)?$`),
  new RegExp(
    `^${ZH_THING}(?:主要|大概|大致|到底|都|究竟)?(?:是)?(?:在)?(?:讲|说|写|介绍|关于|谈|涉及|讨论|包含)(?:了|的|的是|述了|述的是)?(?:些)?(?:什么|啥|哪些)(?:内容|方面|东西|主题|事情|的)?(?:呢|啊|呀)?$`,
  ),
  new RegExp(`^${ZH_THING}${ZH_CONTENT}(?:是|有)(?:什么|啥|哪些)(?:呢)?$`),
  new RegExp(`^${ZH_THING}(?:是)?(?:什么|啥)(?:文件|文档|内容|东西)$`),
]

/** The question is about the documents as a whole; naming one of them counts as pointing at it. */
export function asksForOverview({ question, documents }: Pick<AskRequest, 'question' | 'documents'>): boolean {
  if (question.length > 200) return false
  if (isWhole(question)) return true
  if (!MAY_NAME.test(question)) return false
  return documents().some(document => isWhole(withoutNames(question, document)))
}

/** Only a question that could be about a whole is compared with the names of all documents. */
const MAY_NAME = /about|summar|overview|describe|outline|cover|gist|讲|说|写|介绍|总结|概括|概述|归纳|简述|内容/i

function isWhole(question: string): boolean {
  const bare = question
    .trim()
    .replace(/[\s.?!。？！]+$/, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()
  const words = /\p{Script=Han}/u.test(bare) ? bare.replace(/[\s，,]+/g, '') : bare
  return WHOLE.some(pattern => pattern.test(words))
}

/** The question with a document's name or title put as "this document". */
export function withoutNames(question: string, { name, title }: Document): string {
  const stem = name.replace(/\.[^.]+$/, '')
  const names = [name, title, stem, stem.replace(/[-_]+/g, ' ')].filter(candidate => candidate.length > 3)
  const found = names.find(candidate => question.toLowerCase().includes(candidate.toLowerCase()))
  if (!found) return question
  const at = question.toLowerCase().indexOf(found.toLowerCase())
  const before = question.slice(0, at).replace(/[“"《「\s]+$/, ' ')
  const after = question.slice(at + found.length).replace(/^[”"》」]/, '')
  return /\p{Script=Han}/u.test(before + after)
    ? `${before.trim()}本文${after.trim()}`
    : `${before}this document${after}`
}
