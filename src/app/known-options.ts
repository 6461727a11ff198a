import { requireKnownNames } from '../agent/known-names.ts'
import type { AgentOptions, RouterOptions } from './agents/agent-options.ts'
import type { ToolsOptions } from './agents/agent-tools.ts'
import type { AskOptions } from './ask-options.ts'
import type { PutOptions } from './documents/document-puts.ts'
import type { DeleteManyOptions } from './documents/external-documents.ts'
import type { IndexOptions } from './indexing/index-documents.ts'
import type { WatchOptions } from './indexing/watching.ts'
import type { OpenOptions } from './open-search.ts'
import type { FindOptions } from './searching/find-quotation.ts'
import type { SearchOptions } from './searching/search-documents.ts'

type InCollection = { readonly collection?: string }

type Calls = {
  readonly open: OpenOptions
  readonly index: IndexOptions & InCollection
  readonly watch: WatchOptions & InCollection
  readonly put: PutOptions
  readonly deleteMany: DeleteManyOptions
  readonly search: SearchOptions
  readonly find: FindOptions
  readonly ask: AskOptions
  readonly agent: AgentOptions
  readonly router: RouterOptions
  readonly tools: ToolsOptions
  readonly toolRegistry: Omit<ToolsOptions, 'tools'>
}

const RUN: Readonly<Record<Exclude<keyof Calls['index'], 'dryRun' | 'only'>, true>> = {
  collection: true,
  include: true,
  exclude: true,
  force: true,
  keep: true,
  prune: true,
  password: true,
  signal: true,
  crawl: true,
  maxPages: true,
  allowPrivate: true,
  withoutVectors: true,
  ocr: true,
  onEvent: true,
  onWait: true,
  label: true,
  noWait: true,
  isPointless: true,
}
const WHERE = { collections: true, roots: true } as const

/** Typed by the options, so that none can be missing. */
const NAMES: { readonly [Call in keyof Calls]: Readonly<Record<keyof Calls[Call], true>> } = {
  open: {
    home: true,
    configFile: true,
    settings: true,
    environment: true,
    model: true,
    mustExist: true,
    onNewStore: true,
    onBackgroundError: true,
    embedder: true,
    embedders: true,
    indexCache: true,
    parsers: true,
    tokenCounter: true,
    parserProcesses: true,
    hooks: true,
    elicit: true,
  },
  index: { ...RUN, dryRun: true, only: true },
  watch: { ...RUN, settleMs: true, compareMs: true, except: true, onProblem: true },
  put: {
    id: true,
    text: true,
    markdown: true,
    html: true,
    records: true,
    file: true,
    collection: true,
    title: true,
    attributes: true,
    language: true,
    url: true,
    signal: true,
    onEvent: true,
    onWait: true,
    label: true,
    noWait: true,
    isPointless: true,
    password: true,
    onReEmbedFailure: true,
  },
  search: {
    query: true,
    collections: true,
    documents: true,
    filter: true,
    pages: true,
    mode: true,
    weights: true,
    precise: true,
    explain: true,
    limit: true,
    signal: true,
  },
  deleteMany: {
    collection: true,
    ids: true,
    filter: true,
    dryRun: true,
    now: true,
    signal: true,
  },
  find: { text: true, file: true, collections: true, limit: true, signal: true },
  ask: {
    question: true,
    collections: true,
    files: true,
    fileIds: true,
    documents: true,
    history: true,
    model: true,
    extractive: true,
    precise: true,
    strictness: true,
    maxRisk: true,
    plain: true,
    limit: true,
    minScore: true,
    filter: true,
    weights: true,
    outsideTools: true,
    turn: true,
    callerTools: true,
    toolChoice: true,
    config: true,
    maxToolCalls: true,
    signal: true,
    onIndex: true,
    asker: true,
    effort: true,
    approvals: true,
    skill: true,
    canApprove: true,
    conversation: true,
    within: true,
    found: true,
  },
  agent: {
    ...WHERE,
    tools: true,
    name: true,
    instructions: true,
    files: true,
    knowledge: true,
    model: true,
    maxModelCalls: true,
    config: true,
    toolChoice: true,
    onToolError: true,
    mcpServers: true,
    citations: true,
    approve: true,
    maxToolCalls: true,
    outputSchema: true,
    observe: true,
    registry: true,
    description: true,
    effort: true,
    memory: true,
  },
  router: { name: true, description: true, model: true },
  tools: { ...WHERE, tools: true },
  toolRegistry: WHERE,
}

const ADVICE: Partial<Readonly<Record<keyof Calls, string>>> = {
  open: 'Values of a settings file belong in settings.',
  ask: 'Tools are for agent(); those of a caller are callerTools.',
}

/** Throws `invalid_input` for an unknown option, because callers may lack types. */
export function requireKnownOptions<Call extends keyof Calls, Given extends Calls[Call]>(
  call: Call,
  options: Given,
): Given {
  requireKnownNames(`${call}()`, options, NAMES[call], ADVICE[call])
  return options
}
