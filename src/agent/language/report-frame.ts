import { bareQuestion } from './bare-question.ts'

/** The ways to ask what a text says of something; the group is what it is asked of. Bounded, as a question may be of any length. */
const FRAMES: readonly RegExp[] = [
  /^(?<topic>.{1,200}?)(?:方面|问题)?(?:都|又)?(?:是|做了?|作了?|作出了?)?(?:有(?:什么|哪些|何|怎样的|没有)|怎么|怎样|如何|什么)(?:具体|相关|明确)?的?(?:规定|要求|说明|约定|描述|说|写|讲)(?:的|过|了)?(?:呢|吗)?$/u,
  /^(?<topic>.{1,200}?)的?(?:具体|相关|有关)?(?:规定|要求|说明|约定|内容)(?:是|有)(?:什么|哪些|怎样的|怎么样的)(?:呢)?$/u,
  /^what (?:does|do|is|are)(?:\s+\S{1,20}){0,4}?\s+(?:said|stated|written|say|state|tell|specify|provide)s?\s+(?:about|on|of|regarding)\s+(?<topic>.{1,200})$/iu,
]

/** What points at the topic: `对加班`, `关于年假`, `在电器方面`. */
const POINTS_AT = /^[\s,，]*(?:对于|关于|针对|有关|对|就|在)(?=[^\s,，方])/u

/** What a question that asks what a text says of something asks of: `加班` of `对加班有什么规定`; undefined for every other question. */
export function reportedTopic(question: string): string | undefined {
  const bare = bareQuestion(question)
  const topic = FRAMES.map(frame => bare?.match(frame)?.groups?.topic).find(Boolean)
  return topic?.replace(POINTS_AT, '').replace(/方面$/u, '').trim() || undefined
}
