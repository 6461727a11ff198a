import { AppError } from '../../errors.ts'
import { type Filter, parseFilter } from '../../search/filter.ts'
import { createInvalid } from '../http/errors.ts'

export function parseFilters(filters: unknown): Filter | undefined {
  if (filters === undefined || filters === null) return undefined
  try {
    return parseFilter(filters)
  } catch (error) {
    throw error instanceof AppError ? createInvalid(error.message, 'filters') : error
  }
}
