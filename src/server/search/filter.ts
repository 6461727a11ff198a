import { z } from 'zod'
import { getMessages } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { type Filter, parseFilter } from '../../search/filter.ts'

export const filterSchema = z.union([
  z.string(),
  z
    .custom<Filter>(value => typeof value === 'object' && value !== null)
    .meta({ type: 'object', additionalProperties: true }),
])

/** Throws `invalid_input` about the filters. */
export function parseFilters(filters: unknown): Filter | undefined {
  if (filters === undefined || filters === null) return undefined
  try {
    return parseFilter(filters)
  } catch (error) {
    throw error instanceof AppError
      ? new AppError(error.code, getMessages(error).message, { about: filters })
      : error
  }
}
