import { z } from 'zod'
import { parseArguments } from '../function-call.ts'
import { type Message, textContent } from '../message.ts'
import type { ChatModel } from '../model.ts'
import { collectResponse } from '../model-response.ts'
import { addUsage, type Usage } from '../usage.ts'

/** How a model turns a question into words to search for; the names are Qwen-Agent's. */
export const KEYWORD_STRATEGIES = [
  'None',
  'GenKeyword',
  'SplitQueryThenGenKeyword',
  'GenKeywordWithKnowledge',
  'SplitQueryThenGenKeywordWithKnowledge',
] as const
export type KeywordStrategy = (typeof KEYWORD_STRATEGIES)[number]

export type KeywordOptions = {
  readonly strategy: KeywordStrategy
  readonly model: ChatModel
  /** Words that the documents use, for the strategies with knowledge; asked for only by them. */
  readonly vocabulary: () => Promise<readonly string[]>
  /** Told why the model could not name any. */
  readonly onError?: ((error: unknown) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

const splitSchema = z.object({ information: z.array(z.string()) })
const keywordSchema = z.object({
  keywords_zh: z.array(z.string()).default([]),
  keywords_en: z.array(z.string()).default([]),
})

const SPLIT = `Take the request apart: what it is about, and what is to be done with it. Answer with JSON only:
{"information": ["what to look for"], "instruction": ["what to do with it"]}
Example: "Please answer in French: what is the notice period?" -> {"information": ["what is the notice period"], "instruction": ["answer in French"]}`

const KEYWORDS = `Name the keywords to search documents with for this question, in Chinese and in English. Answer with JSON only:
{"keywords_zh": ["关键词"], "keywords_en": ["keyword"]}
Example: "这篇文章的作者是谁？" -> {"keywords_zh": ["作者"], "keywords_en": ["author"]}
Example: "How does the pump work?" -> {"keywords_zh": ["水泵", "工作原理"], "keywords_en": ["pump", "work"]}`

/** The question with the keywords that the model names. What it writes that cannot be read changes nothing, nor does its failure. */
export async function expandQuestion(
  question: string,
  options: KeywordOptions,
): Promise<{ readonly text: string; readonly usage?: Usage }> {
  const { strategy, vocabulary } = options
  if (strategy === 'None') return { text: question }
  let usage: Usage | undefined
  const ask = async (prompt: string, about: string) => {
    const answer = await askJson(prompt, about, options)
    if (answer.usage) usage = addUsage(usage, answer.usage)
    return answer.json
  }
  const core = strategy.startsWith('SplitQuery') ? informationOf(await ask(SPLIT, question), question) : question
  const known = strategy.endsWith('WithKnowledge') ? await vocabulary() : []
  const hint = known.length > 0 ? `\nPrefer words that the documents use: ${known.join(', ')}` : ''
  const keywords = keywordSchema.safeParse(await ask(KEYWORDS + hint, core))
  const words = keywords.success ? [...keywords.data.keywords_zh, ...keywords.data.keywords_en] : []
  return {
    text: [keywords.success ? core : question, ...new Set(words)].join(' ').trim() || question,
    ...(usage && { usage }),
  }
}

/** What is asked about, without what is to be done; the question where that says more than it. */
function informationOf(json: unknown, question: string): string {
  const parsed = splitSchema.safeParse(json)
  const information = parsed.success ? parsed.data.information.join('\n').trim() : ''
  return information !== '' && information.length <= question.length ? information : question
}

async function askJson(prompt: string, about: string, { model, onError, signal }: KeywordOptions) {
  const messages: Message[] = [
    { role: 'system', content: prompt },
    { role: 'user', content: about },
  ]
  const request = { messages, tools: [], toolChoice: 'none', config: { temperature: 0 } } as const
  try {
    const { messages: said, usage } = await collectResponse(model, request, signal)
    return { json: jsonIn(said.map(textContent).join('')), ...(usage && { usage }) }
  } catch (error) {
    signal?.throwIfAborted()
    onError?.(error)
    return { json: undefined }
  }
}

function jsonIn(text: string): unknown {
  try {
    return parseArguments(text)
  } catch {
    return undefined // the question is searched for as it is
  }
}
