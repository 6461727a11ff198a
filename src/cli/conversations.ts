import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Passim } from '../app.ts'
import type { Conversation } from '../conversations/conversations.ts'
import type { Item } from '../conversations/items.ts'
import type { Turn } from '../conversations/turns.ts'
import { AppError } from '../errors.ts'
import { inQuotes } from './answer-text.ts'
import {
  type AddCommand,
  allOptions,
  example,
  positiveInteger,
  refuseArguments,
} from './command.ts'
import { confirm } from './deleting.ts'
import { counted, type GlobalOptions, Output, oneLine } from './output.ts'
import { withExisting } from './session.ts'

type ListOptions = { readonly limit: number }
type DeleteOptions = { readonly yes?: boolean }

/** Turns or items per read, so that memory stays bounded. */
const AT_ONCE = 100

export const addConversations: AddCommand = program => {
  const conversations = program
    .command('conversations')
    .description('list conversations; show, delete or export one')
    .option(
      '-n, --limit <number>',
      'maximum number of conversations, most recent first',
      positiveInteger,
      50,
    )
    .addHelpText('after', example('passim conversations', 'passim conversations show conv_5f0c…'))
    .allowExcessArguments()
    .action(async (_options, command: Command) => {
      refuseArguments(command)
      await list(allOptions<ListOptions>(command))
    })
  conversations
    .command('list')
    .description('list conversations, most recent first')
    .option('-n, --limit <number>', 'maximum number of conversations', positiveInteger, 50)
    .addHelpText('after', example('passim conversations list -n 5'))
    .action(async (_options, command: Command) => list(allOptions<ListOptions>(command)))
  conversations
    .command('show')
    .description('show the questions and answers')
    .argument('<id>')
    .addHelpText('after', example('passim conversations show conv_5f0c…'))
    .action(async (id: string, _options, command: Command) => show(id, allOptions(command)))
  conversations
    .command('delete')
    .description('delete a conversation permanently')
    .argument('<id>')
    .option('--yes', 'do not ask for confirmation; required without a terminal')
    .addHelpText('after', example('passim conversations delete conv_5f0c… --yes'))
    .action(async (id: string, _options, command: Command) =>
      remove(id, allOptions<DeleteOptions>(command)),
    )
  conversations
    .command('export')
    .description('export a conversation as Markdown, or with --json all its items')
    .argument('<id>')
    .argument('[file]', 'file to write (default: stdout)')
    .addHelpText('after', example('passim conversations export conv_5f0c… travel.md'))
    .action(async (id: string, file: string | undefined, _options, command: Command) =>
      exportOne(id, file, allOptions(command)),
    )
}

async function list({ limit, ...options }: ListOptions & GlobalOptions): Promise<void> {
  await withExisting(options, async passim => {
    const conversations = await passim.conversations.list({ limit })
    const text = () => conversations.map(line).join('\n') || 'No conversations.'
    new Output(options).result({ conversations }, text)
  })
}

function line({ id, title, turns, updatedAt }: Conversation): string {
  return oneLine(
    `${new Date(updatedAt).toISOString().slice(0, 16).replace('T', ' ')}  ${id}  ${counted(turns, 'turn')}  ${title}`,
  )
}

async function show(id: string, options: GlobalOptions): Promise<void> {
  await withExisting(options, async passim => {
    const { title } = await passim.conversations.get(id)
    const turns = await allTurns(passim, id)
    new Output(options).result({ id, title, turns }, () => markdown(title, turns))
  })
}

async function remove(id: string, options: DeleteOptions & GlobalOptions): Promise<void> {
  await withExisting(options, async (passim, signal) => {
    const { title, turns } = await passim.conversations.get(id)
    await confirm(id, `Conversation ${title}: ${counted(turns, 'turn')}, permanently`, options, {
      signal,
    })
    await passim.conversationService.delete(id)
    new Output(options).done({ deleted: id }, () => `Deleted conversation ${id}.`)
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
    const value = { ...conversation, items: await allItems(passim, id) }
    const text = markdown(conversation.title, await allTurns(passim, id))
    if (file === undefined) return output.result(value, () => text)
    const written = output.isJson ? `${JSON.stringify(value)}\n` : `${text}\n`
    await writeNew(file, written)
    output.message(`Wrote ${file}.`)
  })
}

/** Creates a private file. Throws `conflict` if it exists. */
export async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new AppError('conflict', `${file} already exists. Choose another file.`)
  }
}

export async function allTurns(passim: Passim, id: string): Promise<readonly Turn[]> {
  const turns: Turn[] = []
  for (let before: number | undefined; before !== 1; ) {
    const page = await passim.conversationService.listTurns(id, { before, limit: AT_ONCE })
    turns.unshift(...page)
    before = page[0]?.turn ?? 1
  }
  return turns
}

async function allItems(passim: Passim, id: string): Promise<readonly Item[]> {
  const all: Item[] = []
  for (let after = 0; ; ) {
    const items = await passim.conversations.items(id, { after, limit: AT_ONCE, order: 'asc' })
    all.push(...items)
    if (items.length < AT_ONCE) return all
    after = items.at(-1)!.number
  }
}

/** Formats a conversation with sources. */
export function markdown(title: string, turns: readonly Turn[]): string {
  const current = turns.filter(({ superseded = false }) => !superseded)
  const parts = current.map(({ question, answer, citations, status, failure }) => {
    const sources = citations.map(one => {
      const page = one.page === undefined ? '' : `, p. ${one.page}`
      return `- [${one.marker}] ${one.doc}${page}: ${inQuotes(oneLine(one.text))}`
    })
    const end = status === 'completed' ? '' : `*${failure?.message ?? `(${status})`}*`
    return [`## ${oneLine(question)}`, answer, sources.join('\n'), end].filter(Boolean).join('\n\n')
  })
  return [`# ${title}`, ...parts].join('\n\n')
}
