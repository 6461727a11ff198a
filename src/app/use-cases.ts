import type { Settings } from '../config.ts'
import type { Judgements } from '../conversations/judgements.ts'
import type { ConversationService } from '../conversations/service.ts'
import type { Jobs } from '../ingest/store/catalog/jobs.ts'
import type { Library } from '../ingest/store/library.ts'
import type { TurnOptions } from './ask-options.ts'
import type { BackgroundIngest } from './background.ts'
import type { BatchAdmin } from './batches/batch-admin.ts'
import type { ChunkAdmin } from './documents/chunk-admin.ts'
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
import type { SynonymAdmin } from './documents/synonym-admin.ts'
import type { UploadAdmin } from './documents/upload-admin.ts'
import type { Erasure } from './erasure/erasure.ts'
import type { Evaluations } from './evaluation/evaluations.ts'
import type { WatchEvents } from './events/watch-events.ts'
import type { InlineFiles } from './indexing/inline-files.ts'
import type { Sources } from './sources/sources.ts'
import type { Verify } from './stores/verify.ts'
import type { TextModels } from './text-models.ts'

/** Parts of a store that faces call by name. */
export type UseCases = {
  readonly settings: Settings
  readonly scope: Scope
  readonly collections: CollectionAdmin
  readonly files: FileAdmin
  readonly inlineFiles: InlineFiles
  readonly fileBatches: FileBatchAdmin
  readonly batches: BatchAdmin
  readonly documents: DocumentAdmin
  readonly chunks: ChunkAdmin
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
  readonly sources: Sources
  readonly verify: Verify
  readonly reEmbed: ReEmbed
  readonly restoring: Restoring
  readonly evaluations: Evaluations
  readonly receipts: Receipts
  readonly judgements: Judgements
  readonly watchEvents: WatchEvents
  readonly erasure: Erasure
}
