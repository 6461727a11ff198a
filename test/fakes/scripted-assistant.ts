import { afterEach } from 'vitest'
import type { AskRequest } from '../../src/agent/answer.ts'
import { Assistant, type AssistantOptions } from '../../src/agent/assistant.ts'
import { OpenAIModel } from '../../src/agent/models/openai.ts'
import { type InlineDocument, MemorySearcher } from './memory-searcher.ts'
import { type ScriptedModel, type ScriptedReply, startScriptedModel } from './scripted-model-server.ts'
import { wordCounter } from './word-counter.ts'

export const LEAVE: InlineDocument = {
  name: 'leave.md',
  text: '# Leave\n\nEmployees receive 24 days of leave. Unused leave expires in March.\n\n\f## Sickness\n\nA certificate is needed from day three.',
}
export const PUMP: InlineDocument = { name: '水泵.md', text: '# 水泵\n\n水泵的保修期为三年。密封圈不在保修范围内。' }

const open: ScriptedModel[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(server => server.close()))
})

export type Setup = { readonly documents?: readonly InlineDocument[]; readonly options?: Partial<AssistantOptions> }

/** An assistant over inline documents, with a model that says what the script says; its server ends with the test. */
export async function setUpAssistant(
  script: readonly ScriptedReply[],
  { documents = [LEAVE, PUMP], options = {} }: Setup = {},
) {
  const server = await startScriptedModel(script)
  open.push(server)
  const memory = new MemorySearcher(documents)
  const model = new OpenAIModel({ url: server.url, name: 'scripted' })
  const assistant = new Assistant({ model, searcher: memory, reader: memory, counter: wordCounter, ...options })
  const ask = (question: string, more: Partial<AskRequest> = {}, signal?: AbortSignal) =>
    assistant.answer({ question, collectionIds: ['default'], documents: () => memory.documents, ...more }, signal)
  return { server, memory, ask }
}
