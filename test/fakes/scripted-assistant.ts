import { afterEach } from 'vitest'
import { Agent, type AgentDeps, type RunOptions } from '../../src/agent/agent.ts'
import { CitedKnowledge, type CitedOptions } from '../../src/agent/groundings/cited.ts'
import type { Message } from '../../src/agent/message.ts'
import { OpenAIModel } from '../../src/agent/models/openai/openai.ts'
import { type InlineDocument, MemorySearcher } from './memory-searcher.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from './scripted-model-server.ts'
import { wordCounter } from './word-counter.ts'

export const LEAVE: InlineDocument = {
  name: 'leave.md',
  text: '# Leave\n\nEmployees receive 24 days of leave. Unused leave expires in March.\n\n\f## Sickness\n\nA certificate is needed from day three.',
}
export const PUMP: InlineDocument = {
  name: '水泵.md',
  text: '# 水泵\n\n水泵的保修期为三年。密封圈不在保修范围内。',
}

const open: ScriptedModel[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(server => server.close()))
})

type Options = Partial<CitedOptions> & Pick<AgentDeps, 'tools' | 'maxModelCalls' | 'onToolError'>

export type Setup = { readonly documents?: readonly InlineDocument[]; readonly options?: Options }

type More = Omit<RunOptions, 'signal'> & {
  readonly history?: readonly Message[]
  /** What came after the question. */
  readonly turn?: readonly Message[]
  readonly documentIds?: readonly string[]
  readonly limit?: number
}

/** An agent that cites inline documents, with a model that says what the script says; its server ends with the test. */
export async function setUpAssistant(
  script: readonly ScriptedReply[],
  { documents = [LEAVE, PUMP], options = {} }: Setup = {},
) {
  const server = await startScriptedModel(script)
  open.push(server)
  const memory = new MemorySearcher(documents)
  const model = new OpenAIModel({ url: server.url, name: 'scripted' })
  const agentOf = ({ documentIds, limit }: Pick<More, 'documentIds' | 'limit'> = {}) => {
    const scope = {
      collectionIds: ['default'],
      documents: async () => memory.documents,
      ...(documentIds && { documentIds }),
    }
    const parts = {
      model,
      searcher: memory,
      reader: memory,
      counter: async () => wordCounter,
      resolveScope: async () => scope,
      limit,
    }
    const { tools, maxModelCalls, onToolError, ...cited } = options
    const grounding = new CitedKnowledge({ ...parts, ...cited })
    return new Agent({ model, tools, maxModelCalls, onToolError, grounding })
  }
  const ask = (question: string, more: More = {}, signal?: AbortSignal) => {
    const { history = [], turn = [], documentIds, limit, ...how } = more
    const agent = agentOf({ ...(documentIds && { documentIds }), ...(limit && { limit }) })
    return agent.run([...history, { role: 'user', content: question }, ...turn], { ...how, signal })
  }
  return { server, memory, ask, agentOf }
}
