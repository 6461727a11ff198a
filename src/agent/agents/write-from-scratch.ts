import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { Language } from '../../text/language.ts'
import type { RunOptions } from '../agent.ts'
import type { AgentEvent } from '../event.ts'
import { withTotalUsage } from '../event.ts'
import { requireKnownNames } from '../known-names.ts'
import { type Message, parseMessages, textContent } from '../message.ts'
import { detectReplyLanguage } from '../messages/reply-language.ts'
import { AgentRun } from '../run.ts'
import { createStructuredOutput } from '../tools/json-schema.ts'
import { type AgentLabel, type AnyAgent, LABEL, toInnerRun, wrapEvents } from './agent-tool.ts'
import { JoinedResults } from './joined-results.ts'

type WriteOptions = AgentLabel & {
  /** Default: the writer. */
  readonly planner?: AnyAgent | undefined
  readonly maxSections?: number | undefined
}

const OPTIONS: Readonly<Record<keyof WriteOptions, true>> = {
  ...LABEL,
  planner: true,
  maxSections: true,
}

const outlineSchema = z.object({
  sections: z
    .array(z.object({ title: z.string().trim().min(1).max(300), about: z.string().max(2_000) }))
    .min(1),
})
type Outline = z.infer<typeof outlineSchema>

/** Writes a long text: an outline as plan, then each section with continuous citations. */
export function writeFromScratch(writer: AnyAgent, options: WriteOptions = {}): AnyAgent {
  requireKnownNames('writeFromScratch()', options, OPTIONS)
  const { name = 'author', description } = options
  return {
    name,
    description,
    run: (input, run = {}) =>
      new AgentRun(withTotalUsage(write(writer, { ...options, name }, parseMessages(input), run))),
  }
}

async function* write(
  writer: AnyAgent,
  { name = 'author', planner = writer, maxSections = 8 }: WriteOptions,
  messages: readonly Message[],
  options: RunOptions,
): AsyncGenerator<AgentEvent> {
  const run = toInnerRun({ ...options, spoken: undefined })
  const found = findTask(messages, options.spoken)
  if (!found)
    throw new AppError(
      'invalid_input',
      `${name} has nothing to write: no message is from the user. Give the task as one.`,
    )
  const { task, before } = found
  const language = detectReplyLanguage(task)
  const { sections: all } = yield* planOutline(
    planner,
    [...before, toQuestion(OUTLINE[language](task, maxSections))],
    run,
  )
  const sections = all.slice(0, maxSections)
  yield { type: 'plan', questions: sections.map(({ title }) => title) }
  const joined = new JoinedResults()
  for (const section of sections) {
    const inner = writer.run(
      [...before, toQuestion(SECTION[language](task, sections, section))],
      run,
    )
    yield* wrapEvents(writer.name, inner)
    const result = await inner.result
    if (result.calls)
      throw new AppError(
        'conflict',
        `${writer.name} stopped at a tool call that waits for approval or a result.`,
      )
    yield* joined.add(result, `## ${section.title}\n\n`)
  }
  yield joined.finish(task, undefined, [{ role: 'assistant', name, content: joined.text }])
}

/** Returns the last question, and the messages before the task; a turn that merges it with others is one of them. */
function findTask(messages: readonly Message[], spoken: readonly Message[] | undefined) {
  const index = messages.findLastIndex(({ role }) => role === 'user')
  const last = messages[index]
  if (!last) return undefined
  const question = spoken?.findLast(({ role }) => role === 'user')
  const isMerged = question !== undefined && question !== spoken?.at(-1)
  return {
    task: textContent(question ?? last),
    before: isMerged ? messages : messages.slice(0, index),
  }
}

async function* planOutline(
  planner: AnyAgent,
  messages: readonly Message[],
  run: RunOptions,
): AsyncGenerator<AgentEvent, Outline> {
  const { format, read } = createStructuredOutput(outlineSchema)
  const inner = planner.run(messages, { ...run, config: { ...run.config, responseFormat: format } })
  yield* wrapEvents(planner.name, inner)
  const outline = read((await inner.result).text)
  if ('object' in outline) return outlineSchema.parse(outline.object)
  throw new AppError('model_unavailable', `${planner.name} wrote no outline. ${outline.problem}`)
}

function toQuestion(content: string): Message {
  return { role: 'user', content }
}

const OUTLINE: Readonly<Record<Language, (task: string, maxSections: number) => string>> = {
  zh: (task, maxSections) =>
    `请为下面的写作任务列提纲：至多 ${maxSections} 节，每节给出标题 title，并用一两句话说明要写的内容 about。只输出 JSON：{"sections": [{"title": "…", "about": "…"}]}\n\n任务：${task}`,
  en: (task, maxSections) =>
    `Make an outline for this text: at most ${maxSections} sections, each with its title and, in a sentence or two, what it is about. Answer with JSON only: {"sections": [{"title": "...", "about": "..."}]}\n\nThe text: ${task}`,
}

type Section = Outline['sections'][number]

const SECTION: Readonly<
  Record<Language, (task: string, all: readonly Section[], section: Section) => string>
> = {
  zh: (task, all, { title, about }) =>
    `写作任务：${task}\n\n提纲：${listTitles(all)}\n\n现在只写「${title}」这一节的正文：${about}\n不写标题，不重复其他各节的内容。`,
  en: (task, all, { title, about }) =>
    `The text: ${task}\n\nIts outline: ${listTitles(all)}\n\nWrite only the section "${title}": ${about}\nWrite no heading, and nothing that belongs into another section.`,
}

function listTitles(sections: readonly Section[]): string {
  return sections.map(({ title }, index) => `${index + 1}. ${title}`).join('; ')
}
