import type { Document } from '../../ingest/catalog/document.ts'
import type { AskRequest } from '../answer.ts'
import { withoutNames } from './overview-question.ts'

/** What documents are called, as far as that says that they are documents. */
const KIND =
  '(?:contract|agreement|lease|polic(?:y|ies)|handbook|manual|guide(?:lines?)?|report|terms|minutes|notes|rules|regulations?|faq|document|file|specification|notice)'
const KIND_ZH =
  '(?:手册|制度|办法|合同|协议|条例|章程|指南|说明书?|政策|规则|规定|细则|规范|报告|纪要|通知|须知|文件|文档)'

/** Only a question that could name a document is compared with the names of all. */
const MAY_NAME = new RegExp(
  `\\.[a-z][a-z\\d]{1,4}(?![a-z\\d])|《|\\b(?:according to|as per|says?|said|states?|specif(?:y|ies)|provides?)\\b|\\b(?:in|under|per)\\b.{1,60}\\b${KIND}\\b|根据|按照|依据|${KIND_ZH}(?:中|里|内|上|对|关于|规定|，|,|怎么|如何)`,
  'iu',
)

/** The document's name stands where what is asked is said to be written. */
const SCOPES =
  /\b(?:according to|as per|under|in|per|does|do|did)\s+(?:(?:the|our|your|my)\s+)?this document\b|\bthis document\s+(?:says?|states?|specif(?:y|ies)|provides?)\b|(?:根据|按照|依据)\s*本文|本文(?:[中里内上对，,]|关于|规定|怎么|如何)/iu

/** What goes with the name when it is taken out. */
const SCOPE =
  /\b(?:according to|as per|under|in|per)\s+(?:(?:the|our|your|my)\s+)?this document\b\s*,?|\b(?:the|our|your|my)\s+this document\b|(?:根据|按照|依据)?\s*本文(?:[中里内上]面?)?[，,]?/giu

const DANGLING =
  /\b(?:according to|between|both|from|in|of|under|per|with|to|by|and|or)\b(?=\s*(?:(?:and|or|in|of)\b|(?:the\s*)?(?:[?.,]|$)))|^\s*(?:里|中|内)?(?:面)?的|^\s*(?:according to|in|by|under)\b[\s,]*$/giu
const SAYS =
  /\bwhat (?:does|do|is|are)\s+(?:(?:said|stated|written)|say|state|tell|specify|provide)s?\s+(?:about|on|of|regarding)\b/iu

/** What a question asks of the one document that it names, and only there; else the question as it is. */
export function withinNamed<Request extends AskRequest>(request: Request): Request {
  if (!MAY_NAME.test(request.question)) return request
  const named = request.documents().filter(document => isNamed(request.question, document))
  const [document] = named
  if (!document || named.length > 1) return request
  const question = tidied(withoutNames(request.question, document))
  return question === '' ? request : { ...request, question, documentIds: [document.id] }
}

/** A question as it reads when the names of documents were taken out of it. */
export function tidied(question: string): string {
  const bare = question
    .replace(SCOPE, ' ')
    .replace(/this document/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return bare.replace(DANGLING, ' ').replace(DANGLING, ' ').replace(SAYS, ' ').replace(/\s+/g, ' ').trim()
}

/** By its file, by its title in 《》, or by either where the question says that it asks what is written there. */
function isNamed(question: string, document: Document): boolean {
  const { name, title } = document
  if (question.toLowerCase().includes(name.toLowerCase())) return true
  if (title !== '' && question.includes(`《${title}》`)) return true
  return SCOPES.test(withoutNames(question, document))
}
