import { readPackageVersion } from '../app/version.ts'
import { type AddCommand, GuidedCommand } from './command.ts'

/** Sorted as in the help. Loads the command that runs, or all for the help. */
export const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  index: async () => (await import('./index-command.ts')).addIndex,
  sync: async () => (await import('./index-command.ts')).addSync,
  put: async () => (await import('./documents.ts')).addPut,
  find: async () => (await import('./search/find.ts')).addFind,
  search: async () => (await import('./search/search.ts')).addSearch,
  ask: async () => (await import('./ask.ts')).addAsk,
  chat: async () => (await import('./chat.ts')).addChat,
  receipts: async () => (await import('./keys.ts')).addReceipts,
  conversations: async () => (await import('./conversations.ts')).addConversations,
  parse: async () => (await import('./parse.ts')).addParse,
  chunks: async () => (await import('./parse.ts')).addChunks,
  tables: async () => (await import('./tables.ts')).addTables,
  list: async () => (await import('./documents.ts')).addList,
  show: async () => (await import('./documents.ts')).addShow,
  'edit-chunk': async () => (await import('./documents.ts')).addEditChunk,
  delete: async () => (await import('./deleting/delete.ts')).addDelete,
  restore: async () => (await import('./deleting/restore.ts')).addRestore,
  collections: async () => (await import('./collections.ts')).addCollections,
  synonyms: async () => (await import('./synonyms.ts')).addSynonyms,
  jobs: async () => (await import('./jobs.ts')).addJobs,
  keys: async () => (await import('./keys.ts')).addKeys,
  serve: async () => (await import('./serve.ts')).addServe,
  work: async () => (await import('./jobs.ts')).addWork,
  mcp: async () => (await import('./mcp.ts')).addMcp,
  eval: async () => (await import('./eval.ts')).addEval,
  verify: async () => (await import('./maintenance.ts')).addVerify,
  audit: async () => (await import('./maintenance.ts')).addAudit,
  export: async () => (await import('./backup.ts')).addExport,
  import: async () => (await import('./backup.ts')).addImport,
  doctor: async () => (await import('./maintenance.ts')).addDoctor,
  migrate: async () => (await import('./maintenance.ts')).addMigrate,
}

export function createProgram(): GuidedCommand {
  return new GuidedCommand('passim')
    .description(
      'Index documents and answer questions about them, with citations that can be checked.',
    )
    .version(readPackageVersion())
    .option('--home <dir>', 'folder of the store (default $PASSIM_HOME or ~/.passim)')
    .option('--config <file>', 'settings file to use instead of config.yaml in the home')
    .option('--json', 'print JSON')
    .option('-q, --quiet', 'print results and errors only')
    .option('--no-wait', 'fail instead of waiting if a collection or store is in use')
}
