import type { Settings } from '../config.ts'
import type { ConversationService } from '../conversations/service.ts'
import type { Jobs } from '../ingest/store/catalog/jobs.ts'
import type { Library } from '../ingest/store/library.ts'
import type { Ingest } from '../ingest/work/ingest.ts'
import type { Agents } from './agents/agents.ts'
import type { Answering } from './answering.ts'
import type { TurnOptions } from './ask-options.ts'
import type { BackgroundIngest } from './background.ts'
import type { ChatModels } from './chat-models.ts'
import type { CollectionAdmin } from './documents/collection-admin.ts'
import type { DocumentAdmin } from './documents/document-admin.ts'
import type { DocumentPuts } from './documents/document-puts.ts'
import type { Expiry } from './documents/expiry.ts'
import type { ExternalDocuments } from './documents/external-documents.ts'
import type { FileAdmin } from './documents/file-admin.ts'
import type { FileBatchAdmin } from './documents/file-batch-admin.ts'
import type { Pages } from './documents/pages.ts'
import type { ReEmbed } from './documents/re-embedding.ts'
import type { Receipts } from './documents/receipts.ts'
import type { Restoring } from './documents/restoring.ts'
import type { Scope } from './documents/scope.ts'
import type { ScratchFiles } from './documents/scratch-files.ts'
import type { SynonymAdmin } from './documents/synonym-admin.ts'
import type { UploadAdmin } from './documents/upload-admin.ts'
import type { Access } from './documents/visible-documents.ts'
import type { Erasure } from './erasure/erasure.ts'
import type { Evaluations } from './evaluation/evaluations.ts'
import type { WatchEvents } from './events/watch-events.ts'
import type { Webhooks } from './events/webhooks.ts'
import type { IndexDocuments } from './indexing/index-documents.ts'
import type { InlineFiles } from './indexing/inline-files.ts'
import type { Parsing } from './indexing/parsing.ts'
import type { OpenSearch } from './open-search.ts'
import type { FindQuotation } from './searching/find-quotation.ts'
import type { SearchDocuments } from './searching/search-documents.ts'
import type { Verify } from './stores/verify.ts'
import type { TextModels } from './text-models.ts'

export type UseCases = {
  readonly settings: Settings
  readonly scope: Scope
  readonly collections: CollectionAdmin
  readonly files: FileAdmin
  readonly inlineFiles: InlineFiles
  readonly fileBatches: FileBatchAdmin
  readonly documents: DocumentAdmin
  readonly documentPuts: DocumentPuts
  readonly externalDocuments: ExternalDocuments
  readonly uploads: UploadAdmin
  readonly synonyms: SynonymAdmin
  readonly conversationService: ConversationService<TurnOptions>
  readonly texts: TextModels
  readonly expiry: Expiry
  readonly background: BackgroundIngest
  readonly library: Library
  readonly pages: Pages
  readonly jobs: Jobs
  readonly verify: Verify
  readonly reEmbed: ReEmbed
  readonly restoring: Restoring
  readonly evaluations: Evaluations
  readonly receipts: Receipts
  readonly watchEvents: WatchEvents
  readonly erasure: Erasure
}

export type PassimDeps<View> = UseCases & {
  readonly search: OpenSearch
  readonly parsing: Parsing
  readonly models: ChatModels
  readonly ingest: Ingest
  readonly scratch: ScratchFiles
  readonly webhooks: Webhooks
  readonly indexDocuments: IndexDocuments
  readonly searchDocuments: SearchDocuments
  readonly findQuotation: FindQuotation
  readonly answering: Answering
  readonly agents: Agents
  readonly closeStore: () => Promise<void>
  readonly openView: (access: Access, onClosed?: () => void) => Promise<View>
  readonly narrowAccess: (access: Access) => Promise<Access>
}
