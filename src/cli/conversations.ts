import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { readJudgedAnswers } from '../app/evaluation/judged-answers.ts'
import type { Passim } from '../app/passim.ts'
import type { Conversation } from '../conversations/conversations.ts'
import type { Item } from '../conversations/items.ts'
import type { Turn } from '../conversations/turns.ts'
import { localizable } from '../errors/localizable.ts'
import { AppError, getSystemCode } from '../errors.ts'
import type {
  ConversationListJson,
  ExportedConversationJson,
  RemovedConversationJson,
  ShownConversationJson,
} from '../wire/conversation.ts'
import type { JudgedAnswerJson } from '../wire/evaluation.ts'
import { writeTimes } from '../wire/schema.ts'
import { quoteWords } from './answer-text.ts'
import {
  type AddCommand,
  formatExample,
  getAllOptions,
  parsePositiveInteger,
  refuseArguments,
} from './command.ts'
import { confirm } from './deleting/delete.ts'
import { formatCount, formatMinute, type GlobalOptions, joinLines, Output } from './output.ts'
import { getUserSentences } from './sentences/sentences.ts'
import { withExisting } from './session.ts'

type ListOptions = { readonly limit: number }
type DeleteOptions = { readonly yes?: boolean }

/** Turns or items per read; protects memory. */
const AT_ONCE = 100

export const addConversations: AddCommand = program => {
  const conversations = program
    .command('conversations')
    .description('list conversations; show, delete or export one')
    .option(
      '-n, --limit <number>',
      'maximum number of conversations, most recent first',
      parsePositiveInteger,
      50,
    )
    .addHelpText(
      'after',
      formatExample('passim conversations', 'passim conversations show conv_5f0c…'),
    )
    .allowExcessArguments()
    .action(async (_options, command: Command) => {
      refuseArguments(command)
      await list(getAllOptions<ListOptions>(command))
    })
  conversations
    .command('list')
    .description('list conversations, most recent first')
    .option('-n, --limit <number>', 'maximum number of conversations', parsePositiveInteger, 50)
    .addHelpText('after', formatExample('passim conversations list -n 5'))
    .action(async (_options, command: Command) => list(getAllOptions<ListOptions>(command)))
  conversations
    .command('show')
    .description('show the questions and answers')
    .argument('<id>')
    .addHelpText('after', formatExample('passim conversations show conv_5f0c…'))
    .action(async (id: string, _options, command: Command) => show(id, getAllOptions(command)))
  conversations
    .command('delete')
    .description('delete a conversation permanently')
    .argument('<id>')
    .option('--yes', 'do not ask for confirmation; required without a terminal')
    .addHelpText('after', formatExample('passim conversations delete conv_5f0c… --yes'))
    .action(async (id: string, _options, command: Command) =>
      remove(id, getAllOptions<DeleteOptions>(command)),
    )
  conversations
    .command('export')
    .description('export a conversation as Markdown, or with --json all its items')
    .argument('<id>')
    .argument('[file]', 'file to write (default: stdout)')
    .addHelpText('after', formatExample('passim conversations export conv_5f0c… travel.md'))
    .action(async (id: string, file: string | undefined, _options, command: Command) =>
      exportOne(id, file, getAllOptions(command)),
    )
  addJudged(conversations)
}

function addJudged(conversations: Command): void {
  conversations
    .command('judged')
    .description('write the judged answers as questions for passim eval, one JSON object a line')
    .argument('[file]', 'file to write (default: stdout)')
    .addHelpText(
      'after',
      formatExample('passim conversations judged judged.jsonl', 'passim eval judged.jsonl'),
    )
    .action(async (file: string | undefined, _options, command: Command) =>
      exportJudged(file, getAllOptions(command)),
    )
}

async function list({ limit, ...options }: ListOptions & GlobalOptions): Promise<void> {
  await withExisting(options, async passim => {
    const conversations = await passim.conversations.list({ limit })
    const formatTurn = () =>
      conversations.map(formatLine).join('\n') || getUserSentences().work.conversations.none
    new Output(options).writeResult<ConversationListJson>(
      { conversations: conversations.map(writeTimes) },
      formatTurn,
    )
  })
}

function formatLine({ id, title, turns, updatedAt }: Conversation): string {
  return joinLines(`${formatMinute(updatedAt)}  ${id}  ${formatCount(turns, 'turn')}  ${title}`)
}

async function show(id: string, options: GlobalOptions): Promise<void> {
  await withExisting(options, async passim => {
    const { title } = await passim.conversations.get(id)
    const turns = await readAllTurns(passim, id)
    new Output(options).writeResult<ShownConversationJson>(
      { id, title, turns: turns.map(writeTimes) },
      () => formatMarkdown(title, turns),
    )
  })
}

async function remove(id: string, options: DeleteOptions & GlobalOptions): Promise<void> {
  await withExisting(options, async (passim, signal) => {
    const { title, turns } = await passim.conversations.get(id)
    await confirm(
      id,
      getUserSentences().work.conversations.size(title, formatCount(turns, 'turn')),
      options,
      {
        signal,
      },
    )
    await passim.conversationService.delete(id)
    new Output(options).writeDone<RemovedConversationJson>({ deleted: id }, () =>
      getUserSentences().work.conversations.deleted(id),
    )
  })
}

async function exportOne(
  id: string,
  file: string | undefined,
  options: GlobalOptions,
): Promise<void> {
  await withExisting(options, async passim => {
    const conversation = await passim.conversations.get(id)
    const output = new Output(options)
    const value: ExportedConversationJson = {
      ...writeTimes(conversation),
      items: (await readAllItems(passim, id)).map(writeTimes),
    }
    const text = formatMarkdown(conversation.title, await readAllTurns(passim, id))
    if (file === undefined) return output.writeResult<ExportedConversationJson>(value, () => text)
    const written = output.isJson ? `${JSON.stringify(value)}\n` : `${text}\n`
    await writeNew(file, written)
    output.writeMessage(output.sentences.chat.wrote(file))
  })
}

async function exportJudged(file: string | undefined, options: GlobalOptions): Promise<void> {
  await withExisting(options, async (passim, signal) => {
    const output = new Output(options)
    const lines: string[] = []
    let count = 0
    for await (const judged of readJudgedAnswers(passim, signal)) {
      count++
      if (file === undefined) output.writeJsonLine<JudgedAnswerJson>(judged)
      else lines.push(`${JSON.stringify(judged)}\n`)
    }
    if (count === 0) output.writeMessage(output.sentences.work.conversations.noneJudged)
    if (count === 0 || file === undefined) return
    await writeNew(file, lines.join(''))
    output.writeMessage(output.sentences.chat.wrote(file))
  })
}

/** Creates a private file. Throws `conflict` if it exists. */
export async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (getSystemCode(error) !== 'EEXIST') throw error
    throw new AppError('conflict', localizable`${file} already exists. Choose another file.`)
  }
}

export async function readAllTurns(passim: Passim, id: string): Promise<readonly Turn[]> {
  const turns: Turn[] = []
  for (let before: number | undefined; before !== 1; ) {
    const page = await passim.conversationService.listTurns(id, { before, limit: AT_ONCE })
    turns.unshift(...page)
    before = page[0]?.turn ?? 1
  }
  return turns
}

async function readAllItems(passim: Passim, id: string): Promise<readonly Item[]> {
  const all: Item[] = []
  for await (const item of passim.conversations.readItems(id, { order: 'asc' })) all.push(item)
  return all
}

export function formatMarkdown(title: string, turns: readonly Turn[]): string {
  const current = turns.filter(({ superseded = false }) => !superseded)
  const parts = current.map(({ question, answer, citations, status, failure }) => {
    const sources = citations.map(citation => {
      const page = citation.page === undefined ? '' : `, p. ${citation.pageLabel ?? citation.page}`
      return `- [${citation.marker}] ${citation.doc}${page}: ${quoteWords(joinLines(citation.text))}`
    })
    const end = status === 'completed' ? '' : `*${failure?.message ?? `(${status})`}*`
    return [`## ${joinLines(question)}`, answer, sources.join('\n'), end]
      .filter(Boolean)
      .join('\n\n')
  })
  return [`# ${title}`, ...parts].join('\n\n')
}
