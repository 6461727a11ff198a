import {
  collectMedia,
  isMultimodal,
  listMessageFiles,
  type Message,
  textContent,
} from '../../agent/message.ts'
import type { ParametersSchema, ToolChoice, ToolDefinition } from '../../agent/model.ts'
import { findGrammarField, isFormatted } from '../../agent/models/generate-config.ts'
import type { AskOptions } from '../../app/ask-options.ts'
import { localizable } from '../../errors/localizable.ts'
import { requireScope } from '../http/access.ts'
import { getOutsideTools, type RequestContext } from '../http/context.ts'
import { createInvalid, createUnsupported } from '../http/errors.ts'
import { findFirstField } from '../http/field.ts'
import { EXTRACTIVE_MODEL } from '../models.ts'
import { parseFilters } from '../search/filter.ts'
import type { CallerFunction, FileSearch } from './generation-request.ts'

type ParameterNames = { readonly conversation: string; readonly format: string }

type Generation = {
  readonly model: string | undefined
  readonly fileSearch: FileSearch | undefined
  readonly functions: readonly CallerFunction[]
  readonly toolChoice: ToolChoice
  readonly names: ParameterNames
  /** Oldest first. */
  readonly messages: readonly Message[]
  readonly config: AskOptions['config']
  readonly maxToolCalls?: AskOptions['maxToolCalls']
}

/** Throws before anything is sent. */
export async function toAskOptions(
  c: RequestContext,
  generation: Generation,
): Promise<AskOptions<string>> {
  const { toolChoice, config, fileSearch } = generation
  const { collections: named, model } = await resolveSources(c, generation)
  const collections = toolChoice === 'none' ? [] : named
  const fileIds = listMessageFiles(generation.messages)
  const isExtractive = model === EXTRACTIVE_MODEL || c.get('passim').settings.model === undefined
  if (fileIds.length > 0)
    requireScope(c, 'write', 'Files that a message names are indexed to be answered from.')
  if (isExtractive) refuseQuoting(generation)
  if (isExtractive && generation.functions.length > 0) ignore(c, 'tools')
  const callerTools = isExtractive ? [] : generation.functions.map(toTool)
  return {
    ...splitConversation(c, generation),
    ...(collections.length + fileIds.length > 0
      ? { collections, fileIds }
      : isExtractive
        ? await getDefaultSources(c)
        : { plain: true }),
    ...(model === EXTRACTIVE_MODEL ? { extractive: true } : { model }),
    ...searchOptions(fileSearch),
    ...(callerTools.length > 0 && { callerTools }),
    outsideTools: getOutsideTools(c),
    toolChoice,
    config,
    maxToolCalls: generation.maxToolCalls,
  }
}

/** Accepts functions that need not be called: chat programs offer theirs with every question. */
function refuseQuoting(generation: Generation): void {
  const { toolChoice, messages, config, names } = generation
  if (mustCallFunction(generation)) {
    throw createUnsupported(
      'A call of a function needs a chat model: answers by quotation call none.',
      'tool_choice',
    )
  }
  if (toolChoice === 'none') {
    throw createUnsupported(
      'Answers by quotation need a search: omit tool_choice, or use a chat model.',
      'tool_choice',
    )
  }
  if (messages.some(isMultimodal)) {
    throw createUnsupported(
      'Images need a chat model: answers by quotation only read text.',
      names.conversation,
    )
  }
  if (config && isFormatted(config)) {
    throw createUnsupported(
      'JSON needs a chat model: answers by quotation are text.',
      (!config.responseFormat && findGrammarField(config)) || names.format,
    )
  }
}

function mustCallFunction({ toolChoice, functions, fileSearch }: Generation): boolean {
  if (toolChoice === 'required') return functions.length > 0 && !fileSearch
  return toolChoice !== 'auto' && toolChoice !== 'none'
}

/** Takes a vector store as model for the configured one. */
async function resolveSources(c: RequestContext, { model, fileSearch }: Generation) {
  const { settings, collections, scope } = c.get('passim')
  const stores = await Promise.all(
    (fileSearch?.vector_store_ids ?? []).map(id => collections.get(id)),
  )
  const named = [...new Set(stores.map(({ id }) => id))]
  if (model === undefined || model === settings.model?.name || model === EXTRACTIVE_MODEL) {
    return { collections: named, model: model === EXTRACTIVE_MODEL ? EXTRACTIVE_MODEL : undefined }
  }
  const store = await collections.find(model)
  if (store)
    return { collections: [...named, (await scope.findCollection(store.id)).id], model: undefined }
  if (settings.model) return { collections: named, model }
  ignore(c, 'model')
  return { collections: named, model: undefined }
}

function ignore(c: RequestContext, parameter: string): void {
  c.set('ignored', [...(c.get('ignored') ?? []), parameter])
}

export async function getModelName(
  c: RequestContext,
  requested: string | undefined,
): Promise<string> {
  const { settings, collections } = c.get('passim')
  if (settings.model) return requested ?? settings.model.name
  const isStore = requested !== undefined && (await collections.find(requested)) !== undefined
  return isStore ? requested : EXTRACTIVE_MODEL
}

async function getDefaultSources(c: RequestContext): Promise<Pick<AskOptions, 'collections'>> {
  const { collections, scope } = c.get('passim')
  if ((await collections.listVisible()).length > 0)
    return { collections: (await scope.findCollections()).map(({ id }) => id) }
  throw createInvalid(
    'There is nothing to quote from, since there is no vector store yet. Create one and add a file to it.',
    'tools',
  )
}

function searchOptions(fileSearch: FileSearch | undefined) {
  if (!fileSearch) return {}
  const { filters, ranking_options, max_num_results: limit } = fileSearch
  const { score_threshold: minScore, hybrid_search: hybrid } = ranking_options ?? {}
  if (hybrid && hybrid.embedding_weight + hybrid.text_weight === 0) {
    throw createInvalid(
      'One of the weights must be above 0.',
      'tools.ranking_options.hybrid_search',
    )
  }
  const weights = hybrid && { keyword: hybrid.text_weight, vector: hybrid.embedding_weight }
  return { limit, minScore, weights, filter: parseFilters(filters) }
}

function toTool({ name, description, parameters, strict }: CallerFunction): ToolDefinition {
  const schema = { type: 'object', properties: {}, ...parameters } as ParametersSchema
  return {
    name,
    description: description ?? '',
    parameters: schema,
    ...(typeof strict === 'boolean' && { strict }),
  }
}

function splitConversation(
  c: RequestContext,
  { messages: unnamed, names: { conversation } }: Pick<Generation, 'messages' | 'names'>,
): Pick<AskOptions, 'question' | 'asker' | 'history' | 'turn'> {
  const callNames = new Map<string | undefined, string>()
  const messages = unnamed.map(message => {
    const { role, functionCall, functionId } = message
    if (functionCall) callNames.set(functionId, functionCall.name)
    return role === 'function' ? withName(c, message, callNames.get(functionId)) : message
  })
  const end = messages.findLastIndex(({ role }) => role === 'user') + 1
  const start =
    messages
      .slice(0, end)
      .findLastIndex(({ role }) => role === 'assistant' || role === 'function') + 1
  const newMessages = messages.slice(start, end)
  const userMessages = newMessages.filter(({ role }) => role === 'user')
  const question = userMessages.map(textContent).filter(Boolean).join('\n\n')
  if (question.trim() === '') {
    throw createInvalid(
      'There is no question: the conversation needs a message of the user.',
      conversation,
    )
  }
  const rules = newMessages.filter(({ role }) => role !== 'user')
  const history = [...messages.slice(0, start), ...rules, ...collectMedia(userMessages)]
  return { question, asker: userMessages.at(-1)?.name, history, turn: messages.slice(end) }
}

/** Matches results to calls by id; of repeated ids the last before. */
function withName(c: RequestContext, result: Message, name: string | undefined): Message {
  if (name !== undefined) return { ...result, name }
  throw createInvalid(
    localizable`There is no call ${result.functionId} in the conversation that this result could belong to.`,
    findFirstField(c, result.functionId), // no call with this id precedes the result
  )
}
