import { z } from 'zod'

/** How questions are answered. */
const answeringSchema = z
  .strictObject({
    /** Tokens of retrieved text that a chat model is shown. */
    contextTokens: z.int().min(200).default(6_000),
    /** How sure an extractive answer has to be. */
    strictness: z.number().min(0).max(1).default(0.5),
    /** Sentences of a model that no source was found for: named beside the answer, or taken out of it. */
    unsupported: z.enum(['flag', 'remove']).default('flag'),
    /** What judges whether a passage states a model's claim: words, numbers and names (`quotes`), or the chat model, asked once more. */
    verify: z.enum(['quotes', 'model']).default('quotes'),
    /** Model calls for one question, at most. */
    maxModelCalls: z.int().min(1).default(20),
    /** Calls of tools for one question, at most. */
    maxToolCalls: z.int().min(1).default(100),
  })
  .prefault({})

const mcpServerSchema = z.union([
  z.strictObject({
    command: z.string().min(1),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    cwd: z.string().optional(),
  }),
  z.strictObject({ url: z.url(), headers: z.record(z.string(), z.string()).optional() }),
])

export const KEYWORD_STRATEGIES = [
  'None',
  'GenKeyword',
  'SplitQueryThenGenKeyword',
  'GenKeywordWithKnowledge',
  'SplitQueryThenGenKeywordWithKnowledge',
] as const

export const SEARCHERS = ['keyword_search', 'vector_search', 'front_page_search'] as const

/** What agents and their tools may read and use. */
const agentSchema = z
  .strictObject({
    /** Folders whose files agents and their tools may read, besides documents. */
    roots: z.array(z.string().min(1)).default([]),
    /** URLs of files that are fetched: none, those in messages, or also those that models give to tools. */
    urls: z.enum(['none', 'messages', 'tools']).default('messages'),
    /** Hits of one search by an agent or a tool. */
    topK: z.int().min(1).max(1_000).default(20),
    /** Hits below are left out. */
    minScore: z.number().optional(),
    /** Tokens of what an agent looks up for one answer. */
    contextTokens: z.int().min(200).default(20_000),
    /** How a model turns questions into words to search for. */
    keywords: z.enum(KEYWORD_STRATEGIES).default('None'),
    /** What `retrieval` and an agent's memory search by: both of the first two are hybrid search. */
    searchers: z.array(z.enum(SEARCHERS)).min(1).default(['keyword_search', 'vector_search']),
    /** A lighter model of the same server for that. */
    keywordModel: z.string().min(1).optional(),
    /** Servers whose tools agents may use, by name. */
    mcpServers: z.record(z.string().regex(/^[\w-]{1,32}$/), mcpServerSchema).default({}),
    /** Longest that one of them may take to say what tools it has, in milliseconds. */
    mcpConnectMs: z.int().min(1).default(10_000),
    /** Longest one tool call may take, in milliseconds. */
    toolTimeoutMs: z.int().min(1).default(120_000),
    /** Tokens of one tool's answer. */
    maxToolTokens: z.int().min(100).default(20_000),
  })
  .prefault({})

export const agentSettings = { answering: answeringSchema, agent: agentSchema }
