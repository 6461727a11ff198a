import { type AgentDeps, Agent as StoredAgent } from '../../agent/agent.ts'
import type { AnyAgent } from '../../agent/agents/agent-tool.ts'
import {
  groupChat as createGroupChat,
  type GroupChatOptions as GroupChatDeps,
} from '../../agent/agents/group-chat.ts'
import { openChatModel } from '../chat-models.ts'

type OpenModel = Parameters<typeof openChatModel>[0]

export type AgentParts<Output = unknown> = Omit<
  AgentDeps<Output>,
  'model' | 'grounding' | 'moreTools' | 'turns'
> & {
  readonly model: OpenModel
}

type GroupChatOptions = Omit<GroupChatDeps, 'model'> & { readonly model?: OpenModel | undefined }

/** Takes settings of a model, too, which only this layer can open. */
export class Agent<Output = unknown> extends StoredAgent<Output> {
  constructor(parts: AgentParts<Output>) {
    super({ ...parts, model: openChatModel(parts.model) })
  }
}

export function groupChat(
  members: readonly AnyAgent[],
  { model, ...options }: GroupChatOptions = {},
): AnyAgent {
  return createGroupChat(members, { ...options, ...(model && { model: openChatModel(model) }) })
}
