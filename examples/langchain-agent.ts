/**
 * Passim's retrieval inside an agent of LangChain (`npm install @langchain/core` and the package of a model):
 *
 *   const answer = await askLangChain(passim, new ChatOpenAI({ model: 'gpt-5' }), 'What is the notice period?')
 *
 * The loop is written out; `createAgent({ model, tools })` of the package `langchain` takes the same tools.
 * In a program that has Passim installed, import from 'passim' instead of '../src/index.ts'.
 */
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { type BaseMessage, HumanMessage, type ToolMessage } from '@langchain/core/messages'
import { type Passim, toLangChain } from '../src/index.ts'

const MAX_TURNS = 5

export async function askLangChain(
  passim: Passim,
  model: BaseChatModel,
  question: string,
): Promise<string> {
  const tools = await toLangChain(passim.tools())
  const bound = model.bindTools?.(tools)
  if (!bound) throw new Error('This model takes no tools.')
  const messages: BaseMessage[] = [new HumanMessage(question)]
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const said = await bound.invoke(messages)
    messages.push(said)
    if (!said.tool_calls?.length) return said.text
    for (const call of said.tool_calls) {
      const tool = tools.find(candidate => candidate.name === call.name)
      const result: ToolMessage | undefined = await tool?.invoke({ ...call, type: 'tool_call' })
      if (result) messages.push(result)
    }
  }
  return messages.at(-1)?.text ?? ''
}
