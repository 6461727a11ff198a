import { setTimeout as delay } from 'node:timers/promises'
import type { Language } from '../../text/language.ts'
import type { AgentEvent } from '../event.ts'
import { labelSources } from '../messages/source-labels.ts'

/** Indexed files take less. */
const QUIET_MS = 300

/** Emits a notice if reading the files takes time. */
export async function* announceReading<Read>(
  files: readonly string[],
  read: Promise<Read>,
  language: Language,
): AsyncGenerator<AgentEvent, Read> {
  if (files.length > 0) {
    const isLate = await isLaterThan(QUIET_MS, read)
    if (isLate) yield { type: 'notice', name: 'files', text: READING[language](listNames(files)) }
  }
  return await read
}

async function isLaterThan(limitMs: number, read: Promise<unknown>): Promise<boolean> {
  const ended = new AbortController()
  const late = delay(limitMs, true, { signal: ended.signal }).catch(() => true)
  const early = read.then(
    () => false,
    () => false,
  )
  return await Promise.race([early, late]).finally(() => ended.abort())
}

function listNames(files: readonly string[]): string {
  return [...labelSources(files).values()].join(', ')
}

const READING: Readonly<Record<Language, (names: string) => string>> = {
  en: names => `Reading ${names}.`,
  zh: names => `正在读取 ${names}。`,
}
