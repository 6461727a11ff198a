import { getSystemCode } from '../../../../errors.ts'
import { CompoundFile } from '../../detection/ole2.ts'
import {
  createDamagedError,
  type Parser,
  type ParserEvent,
  type ParserInput,
} from '../../parser.ts'

/** Codes of Node for reading beyond the bytes, to which the places of a damaged file lead. */
const BEYOND_BYTES = new Set(['ERR_OUT_OF_RANGE', 'ERR_BUFFER_OUT_OF_BOUNDS'])

type ReadDocument = (
  file: CompoundFile,
  input: ParserInput,
  signal?: AbortSignal,
) => AsyncGenerator<ParserEvent>

/** Throws `corrupt` for a document that leads beyond its bytes. */
export function parseCompoundWith(readDocument: ReadDocument): Parser['parse'] {
  return async function* parse(
    input: ParserInput,
    signal?: AbortSignal,
  ): AsyncGenerator<ParserEvent> {
    signal?.throwIfAborted()
    const file = await CompoundFile.open(input.path, input.name)
    try {
      yield* readDocument(file, input, signal)
    } catch (error) {
      if (BEYOND_BYTES.has(getSystemCode(error) ?? ''))
        throw createDamagedError(input.name, 'it is damaged or cut off', error)
      throw error
    } finally {
      await file.close()
    }
  }
}
