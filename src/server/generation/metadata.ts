import { z } from 'zod'
import type { AgentResult } from '../../agent/event.ts'

const MAX_KEYS = 16
/** OpenAI's limit of a value, in characters. */
const MAX_VALUE = 512

/** OpenAI's metadata: up to 16 short entries. */
export const metadataSchema = z
  .record(
    z.string().max(64, 'has a name of more than 64 characters'),
    z.string().max(MAX_VALUE, 'has more than 512 characters: keep them in a file'),
  )
  .refine(metadata => Object.keys(metadata).length <= MAX_KEYS, `has more than ${MAX_KEYS} keys`)

/** Adds mode, counts and codes while there is room; the caller's entries win. */
export function addCitationNotes(
  metadata: Readonly<Record<string, string>>,
  {
    mode,
    unsupported,
    unconfirmed,
    warnings = [],
  }: Pick<AgentResult, 'mode' | 'unsupported' | 'unconfirmed' | 'warnings'>,
): Readonly<Record<string, string>> {
  const codes = [...new Set(warnings.map(({ code }) => code))].join(', ')
  const ours = {
    ...(mode === 'extractive' && { passim_mode: mode }),
    ...(unsupported.length > 0 && { passim_unsupported: String(unsupported.length) }),
    ...(unconfirmed && { passim_unconfirmed: String(unconfirmed.length) }),
    ...(codes && { passim_warnings: codes.slice(0, MAX_VALUE) }),
  }
  const added = Object.entries(ours).filter(([key]) => !(key in metadata))
  return {
    ...Object.fromEntries(added.slice(0, MAX_KEYS - Object.keys(metadata).length)),
    ...metadata,
  }
}
