import { z } from 'zod'
import { timedAnswerSchema } from '../../wire/answer.ts'
import { askEventSchemas } from '../../wire/ask-event.ts'
import { batchPageSchema, batchSchema } from '../../wire/batch.ts'
import {
  chatCompletionChunkSchema,
  chatCompletionSchema,
  completionSchema,
} from '../../wire/chat-completion.ts'
import { doctorReportSchema } from '../../wire/checks.ts'
import { collectionPageSchema, collectionSchema } from '../../wire/collection.ts'
import * as conversation from '../../wire/conversation.ts'
import * as deletion from '../../wire/deletion.ts'
import * as document from '../../wire/document.ts'
import { errorSchema, rpcErrorSchema } from '../../wire/error.ts'
import { eventSchema } from '../../wire/event.ts'
import * as file from '../../wire/file.ts'
import { findSchema } from '../../wire/find.ts'
import { searchSchema } from '../../wire/hit.ts'
import { jobListSchema, jobSchema, reEmbeddingSchema } from '../../wire/job.ts'
import { keyListSchema, keySchema, newKeySchema } from '../../wire/key.ts'
import * as model from '../../wire/model.ts'
import * as receipt from '../../wire/receipt.ts'
import * as response from '../../wire/response.ts'
import { sourceListSchema, sourceSchema } from '../../wire/source.ts'
import { synonymsSchema } from '../../wire/synonyms.ts'
import { tableListSchema } from '../../wire/table.ts'
import * as thread from '../../wire/thread.ts'
import * as vectorStore from '../../wire/vector-store.ts'

export const ANSWERS = {
  File: file.fileSchema,
  FilePage: file.filePageSchema,
  DeletedFile: file.deletedFileSchema,
  Upload: file.uploadSchema,
  UploadPart: file.uploadPartSchema,
  Batch: batchSchema,
  BatchPage: batchPageSchema,
  VectorStore: vectorStore.vectorStoreSchema,
  VectorStorePage: vectorStore.vectorStorePageSchema,
  DeletedVectorStore: vectorStore.deletedVectorStoreSchema,
  VectorStoreFile: vectorStore.vectorStoreFileSchema,
  VectorStoreFilePage: vectorStore.vectorStoreFilePageSchema,
  DeletedVectorStoreFile: vectorStore.deletedVectorStoreFileSchema,
  VectorStoreFileBatch: vectorStore.fileBatchSchema,
  VectorStoreFileContent: vectorStore.fileContentSchema,
  VectorStoreSearchResults: vectorStore.searchResultsSchema,
  Embeddings: model.embeddingsSchema,
  Model: model.modelSchema,
  ModelList: model.modelListSchema,
  ModelSetting: model.modelSettingSchema,
  ChatCompletion: chatCompletionSchema,
  ChatCompletionChunk: chatCompletionChunkSchema,
  Completion: completionSchema,
  Response: response.responseSchema,
  ResponseEvent: response.responseEventSchema,
  DeletedResponse: response.deletedResponseSchema,
  Item: response.itemSchema,
  ItemPage: response.itemPageSchema,
  OpenAIConversation: response.openaiConversationSchema,
  DeletedOpenAIConversation: response.deletedOpenaiConversationSchema,
  InputTokens: response.inputTokensSchema,
  DeletionList: deletion.deletionListSchema,
  DeletionReport: deletion.deletionReportSchema,
  Restored: deletion.restoredSchema,
  ForgottenDeletion: deletion.deletedByIdSchema,
  Found: findSchema,
  Search: searchSchema,
  Answer: timedAnswerSchema,
  AskEvent: z.union(Object.values(askEventSchemas)),
  ConversationHead: conversation.conversationHeadSchema,
  ConversationPage: conversation.conversationPageSchema,
  Conversation: conversation.conversationSchema,
  SharedLink: conversation.sharedLinkSchema,
  SharedLinkList: conversation.sharedLinkListSchema,
  NewSharedLink: conversation.newSharedLinkSchema,
  DeletedSharedLink: conversation.deletedSharedLinkSchema,
  SharedConversation: conversation.sharedConversationSchema,
  Turn: conversation.turnSchema,
  FollowUps: conversation.followUpsSchema,
  DeletedConversation: conversation.deletedConversationSchema,
  ThreadMessage: thread.threadMessageSchema,
  ThreadMessages: thread.threadMessagesSchema,
  ThreadEvent: thread.threadEventSchema,
  ThreadPage: thread.threadPageSchema,
  StoppedThread: thread.stoppedThreadSchema,
  DeletedThread: thread.deletedThreadSchema,
  Chat: conversation.chatSchema,
  StoppedChat: conversation.stoppedChatSchema,
  Receipt: receipt.signedReceiptSchema,
  ReceiptKey: receipt.receiptKeySchema,
  StoppedConversation: conversation.stoppedConversationSchema,
  Collection: collectionSchema,
  CollectionPage: collectionPageSchema,
  Document: document.reportedDocumentSchema,
  DocumentEntry: document.documentSchema,
  DocumentPage: document.documentPageSchema,
  PutDocument: document.putDocumentSchema,
  PutDocumentLine: document.putDocumentLineSchema,
  ExternalDocumentPage: document.externalDocumentPageSchema,
  DeletedDocuments: document.deletedDocumentsSchema,
  Key: keySchema,
  KeyList: keyListSchema,
  DoctorReport: doctorReportSchema,
  NewKey: newKeySchema,
  Page: document.readPageSchema,
  Blocks: document.blocksSchema,
  ChunkPage: document.chunkPageSchema,
  Chunk: document.chunkSchema,
  Tables: tableListSchema,
  Passage: document.passageSchema,
  Job: jobSchema,
  JobList: jobListSchema,
  Source: sourceSchema,
  SourceList: sourceListSchema,
  Event: eventSchema,
  ReEmbedding: reEmbeddingSchema,
  Synonyms: synonymsSchema,
  Reranked: model.rerankedSchema,
  Records: model.recordsSchema,
  Health: z.object({ status: z.string() }),
  Error: errorSchema,
  RpcError: rpcErrorSchema,
} as const satisfies Readonly<Record<string, z.ZodType>>

export type AnswerName = keyof typeof ANSWERS
