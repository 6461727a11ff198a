import type { Settings } from '../../config.ts'
import type { DoctorReport } from '../../wire/checks.ts'
import { computeCacheBytes, computeUpkeepBytes } from '../searching/index-memory.ts'

export function listMachineSettings(settings: Settings): DoctorReport['machineSettings'] {
  const { parsing, embedding, searching } = settings
  return {
    'parsing.processes': parsing.processes,
    'parsing.totalMemoryBytes': parsing.totalMemoryBytes,
    'embedding.workers': embedding.workers,
    'searching.cacheBytes': searching.cacheBytes ?? computeCacheBytes(),
    'upkeep.memoryBytes': computeUpkeepBytes(settings),
  }
}

/** Omits secrets, and paths of addresses. */
export function listSettings(settings: Settings): DoctorReport['settings'] {
  const { model, ocr, answering, server, conversations, deleting } = settings
  const listed = {
    'model.name': model?.name,
    'model.url': model && new URL(model.url).host,
    'ocr.mode': ocr.mode,
    'answering.strictness': answering.strictness,
    'answering.unsupported': answering.unsupported,
    'server.maxUploadBytes': server.maxUploadBytes,
    'server.requestsPerMinute': server.requestsPerMinute,
    'server.maxRequestsPerKey': server.maxRequestsPerKey,
    'conversations.keepDays': conversations.keepDays,
    'deleting.keepDays': deleting.keepDays,
    'server.sharedLinkDays': server.sharedLinkDays,
    'server.audit.keepDays': server.audit?.keepDays,
  }
  return Object.fromEntries(
    Object.entries(listed).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
