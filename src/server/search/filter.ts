import { AppError } from '../../errors.ts'
import { type Filter, parseFilter } from '../../search/filter.ts'
import { invalid } from '../http/errors.ts'

export function filterOf(filters: unknown): Filter | undefined {
  if (filters === undefined || filters === null) return undefined
  try {
    return parseFilter(filters)
  } catch (error) {
    throw error instanceof AppError ? invalid(error.message, 'filters') : error
  }
}
