import { z } from 'zod'
import { requireQuestion } from '../../agent/message.ts'
import type { TurnOptions } from '../../app/ask-options.ts'
import { findSkill } from '../../app/skills.ts'
import { DEFAULT_TENANT } from '../../app/tenants/keys.ts'
import type { Conversation } from '../../conversations/conversations.ts'
import type { TurnContext } from '../../conversations/next-turn.ts'
import type { Run } from '../../conversations/runs.ts'
import { getMessages } from '../../errors/localizable.ts'
import { toAppError } from '../../errors.ts'
import type { RequestContext } from '../http/context.ts'
import { createInvalid, toStoredFailure } from '../http/errors.ts'
import { createLostPlace, endPage } from '../http/pagination.ts'

export const turnsSchema = z.object({
  before: z
    .int()
    .min(1)
    .optional()
    .describe('Number of a turn, from 1: return only turns before it. Default: the last turns.'),
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(20)
    .describe('Maximum number of turns to return (1 to 100, default 20).'),
})

/** Returns who asks, for guardrails and accounts, and how failures are stored. */
export function createTurnContext(c: RequestContext) {
  const { key, isAdmitted = async () => true, whenRevoked } = c.var
  return {
    asker: { tenant: key?.tenant ?? DEFAULT_TENANT, key: key?.id, isAdmitted, whenRevoked },
    failureOf: (error: unknown) => toStoredFailure(error, c),
  }
}

export async function requireAskable(
  c: RequestContext,
  { question, collections, documents = [] }: TurnOptions,
): Promise<void> {
  const { scope, conversationService: conversing } = c.var.passim
  requireQuestion(question)
  const found = await scope.findCollections(collections)
  for (const reference of documents) await scope.findDocument(reference, found)
  conversing.requireRoom()
}

export async function startTurn(
  c: RequestContext,
  options: TurnOptions,
  conversation: string,
  more: Omit<TurnContext, 'asker' | 'failureOf' | 'agent'> = {},
): Promise<Run> {
  return await c.var.passim.conversationService.ask(options, conversation, {
    ...createTurnContext(c),
    ...more,
  })
}

export function getPlace({
  conversationId: conversation,
  turn,
}: Pick<Run, 'conversationId' | 'turn'>) {
  return conversation === undefined ? {} : { conversation, turn }
}

/** Throws `not_found`. */
export async function findConversation(c: RequestContext): Promise<Conversation> {
  return await c.var.passim.conversations.get(c.req.param('id') ?? '')
}

export async function stopLastRun(c: RequestContext, id: string): Promise<boolean> {
  const { conversationService: conversing } = c.var.passim
  const run = await conversing.findLastRun(id)
  return run ? await conversing.stop(run.id) : false
}

type ListQuery = {
  readonly after?: string
  readonly limit: number
  readonly title?: string
  readonly pinned?: boolean
}

/** Lists the last used first. */
export async function listConversations<Entry>(
  c: RequestContext,
  { after, limit, title, pinned }: ListQuery,
  toJson: (conversation: Conversation) => Entry,
) {
  const { conversations } = c.var.passim
  if (after !== undefined && !(await conversations.find(after))) throw createLostPlace(after)
  const found = await conversations.list({ after, limit: limit + 1, title, isPinned: pinned })
  const page = found.slice(0, limit)
  return { listed: page.map(toJson), end: endPage(page, found.length) }
}

export function toSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}

export function requireSkill(c: RequestContext, skill: number | undefined, param: string): void {
  try {
    if (skill !== undefined) findSkill(c.var.passim.settings, skill)
  } catch (error) {
    throw createInvalid(getMessages(toAppError(error)).message, param)
  }
}
