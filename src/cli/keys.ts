import { type Command, Option } from 'commander'
import { DEFAULT_TENANT, type Key, Keys, SCOPES, type Scope } from '../app/tenants/keys.ts'
import { loadSettings } from '../config.ts'
import { checkFilter } from '../search/filter-text.ts'
import type { KeyJson, KeyListJson, NewKeyJson } from '../wire/key.ts'
import type { ReceiptKeyJson } from '../wire/receipt.ts'
import { writeTimes } from '../wire/schema.ts'
import {
  type AddCommand,
  collectValues,
  formatExample,
  getAllOptions,
  refuseArguments,
} from './command.ts'
import { type GlobalOptions, Output } from './output.ts'
import { getUserSentences } from './sentences/sentences.ts'
import { openOptions, withExisting } from './session.ts'

type CreateOptions = {
  readonly tenant: string
  readonly scope: Scope
  readonly collection?: readonly string[]
  readonly filter?: string
}

export const addKeys: AddCommand = program => {
  const keys = program
    .command('keys')
    .description('list, create or revoke keys of the service')
    .addHelpText(
      'after',
      formatExample(
        'passim keys',
        'passim keys create ci --scope write',
        'passim keys revoke 5f0c2a…',
      ),
    )
    .allowExcessArguments()
    .action(async (_options, command: Command) => {
      refuseArguments(command)
      await list(getAllOptions(command))
    })
  keys
    .command('list')
    .description('list keys, without their secrets')
    .addHelpText('after', formatExample('passim keys list --json'))
    .action(async (_options, command: Command) => list(getAllOptions(command)))
  keys
    .command('create')
    .description('create a key; its secret is shown only once')
    .argument('<name>', 'name of the key')
    .option('--tenant <name>', 'tenant whose store the key opens', DEFAULT_TENANT)
    .addOption(
      new Option('--scope <scope>', 'permission of the key').choices(SCOPES).default('write'),
    )
    .option(
      '-c, --collection <name>',
      'only collection that the key sees (may be repeated); needs --scope read',
      collectValues,
    )
    .option('--filter <filter>', 'condition of the documents that the key sees; needs --scope read')
    .addHelpText(
      'after',
      formatExample('passim keys create ci --scope read', 'passim keys create acme --tenant acme'),
    )
    .action(async (name: string, _options, command: Command) =>
      create(name, getAllOptions<CreateOptions>(command)),
    )
  keys
    .command('revoke')
    .description('revoke a key and end its requests within a second')
    .argument('<id>')
    .addHelpText('after', formatExample('passim keys revoke 5f0c2a1b9d3e'))
    .action(async (id: string, _options, command: Command) => revoke(id, getAllOptions(command)))
}

export const addReceipts: AddCommand = program => {
  program
    .command('receipts')
    .description('show the key that signs the receipts of answers')
    .command('key')
    .description('print the public key of this store, to check receipts with')
    .addHelpText('after', formatExample('passim receipts key'))
    .action(async (_options, command: Command) => showReceiptKey(getAllOptions(command)))
}

async function showReceiptKey(options: GlobalOptions): Promise<void> {
  await withExisting(options, async passim => {
    const key = await passim.receipts.getKey()
    new Output(options).writeResult<ReceiptKeyJson>({ key }, () => key)
  })
}

async function list(options: GlobalOptions): Promise<void> {
  await withKeys(options, async keys => {
    const all = await keys.list()
    new Output(options).writeResult<KeyListJson>(
      { keys: all.map(writeTimes), hasMore: false },
      () => all.map(formatLine).join('\n') || getUserSentences().results.noKeys,
    )
  })
}

async function create(
  name: string,
  {
    tenant,
    scope,
    collection: collections,
    filter: text,
    ...options
  }: CreateOptions & GlobalOptions,
): Promise<void> {
  await withKeys(options, async keys => {
    const filter = text === undefined ? undefined : checkFilter(text)
    const { key, token } = await keys.create({ name, tenant, scope, collections, filter })
    const output = new Output(options)
    output.writeResult<NewKeyJson>({ ...writeTimes(key), token }, () => token)
    output.writeMessage(output.sentences.results.storeKey)
    if (!output.isJson) output.writeMessage(output.sentences.results.useKey(scope))
  })
}

async function revoke(id: string, options: GlobalOptions): Promise<void> {
  await withKeys(options, async keys => {
    const key = await keys.revoke(id)
    const output = new Output(options)
    output.writeDone<KeyJson>(writeTimes(key), () =>
      output.sentences.results.revoked(key.name, key.id),
    )
    if (!(await keys.isAnyValid())) output.writeMessage(output.sentences.results.noValidKey)
  })
}

async function withKeys(options: GlobalOptions, use: (keys: Keys) => Promise<void>): Promise<void> {
  const keys = await Keys.open(await loadSettings(openOptions(options)))
  try {
    await use(keys)
  } finally {
    await keys.close()
  }
}

function formatLine(key: Key): string {
  const {
    id,
    name,
    tenant,
    scope,
    collections = [],
    filter,
    createdAt,
    lastUsedAt,
    revokedAt,
  } = key
  const seen = [scope, ...collections, ...(filter ? [JSON.stringify(filter)] : [])].join(' ')
  const words = getUserSentences().results
  const used = lastUsedAt === undefined ? words.neverUsed : words.usedOn(formatDay(lastUsedAt))
  return `${id}  ${name}  ${tenant}  ${seen}  ${formatDay(createdAt)}  ${used}${revokedAt === undefined ? '' : `  ${words.revokedKey}`}`
}

function formatDay(unixMs: number): string {
  return new Date(unixMs).toISOString().slice(0, 10)
}
