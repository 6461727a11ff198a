import type { AskRequest } from '../answer.ts'
import { withoutNames } from './overview-question.ts'

/** Only a question that could name a file or a title is compared with the names of all documents. */
const MAY_NAME = /\.[a-z][a-z\d]{1,4}(?![a-z\d])|《/i

const DANGLING =
  /\b(?:according to|between|both|from|in|of|under|per|with|to|by|and|or)\b(?=\s*(?:(?:and|or|in|of)\b|[?.,]|$))|^\s*(?:里|中|内)?(?:面)?的|^\s*(?:according to|in|by|under)\b[\s,]*$/giu
const SAYS =
  /\bwhat (?:does|do|is|are)\s+(?:(?:said|stated|written)|say|state|tell|specify|provide)s?\s+(?:about|on|of|regarding)\b/iu

/** What a question asks of the one document that it names by its file or title, and only there; else the question as it is. */
export function withinNamed<Request extends AskRequest>(request: Request): Request {
  if (!MAY_NAME.test(request.question)) return request
  const named = request.documents().filter(document => isNamed(request.question, document.name, document.title))
  const [document] = named
  if (!document || named.length > 1) return request
  const question = tidied(withoutNames(request.question, document))
  return question === '' ? request : { ...request, question, documentIds: [document.id] }
}

/** A question as it reads when the names of documents were taken out of it. */
export function tidied(question: string): string {
  const bare = question
    .replace(/this document|本文/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return bare.replace(DANGLING, ' ').replace(DANGLING, ' ').replace(SAYS, ' ').replace(/\s+/g, ' ').trim()
}

function isNamed(question: string, name: string, title: string): boolean {
  return question.toLowerCase().includes(name.toLowerCase()) || (title !== '' && question.includes(`《${title}》`))
}
