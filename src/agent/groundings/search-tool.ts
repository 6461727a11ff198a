import { z } from 'zod'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { Searcher } from '../../search/searcher.ts'
import type { Language } from '../../text/language.ts'
import type { ParametersSchema } from '../model.ts'
import type { Tool, ToolRun } from '../tool.ts'
import { writeSearchResult } from './prompts.ts'
import type { Sources } from './sources.ts'

/** Pages of a search, so that loops end. */
const MAX_PAGE = 20

const searchArguments = z.object({
  query: z.string().trim().min(1),
  page: z.coerce.number().int().min(1).max(MAX_PAGE).default(1),
})

/** Name, unless another tool has it. */
export const SEARCH_TOOL = 'search'

export function chooseSearchToolName(usedNames: readonly string[]): string {
  let name = SEARCH_TOOL
  for (let number = 2; usedNames.includes(name); number++) name = `${SEARCH_TOOL}_${number}`
  return name
}

type SearchToolOptions = {
  readonly name?: string
  readonly searcher: Searcher
  readonly sources: Sources
  /** The model chooses words only. */
  readonly scope: {
    readonly collectionIds: readonly string[]
    readonly documentIds?: readonly string[]
  }
  readonly language: Language
  readonly limit: number
}

export class SearchTool implements Tool {
  readonly name: string
  readonly isReadOnly = true
  readonly description =
    "Search the user's documents. Returns numbered passages to cite. Use it when the sources at hand do not answer the question."
  readonly parameters: ParametersSchema = {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        description: 'What to look for: a few words or a question, in any language.',
      },
      page: {
        type: 'integer',
        description: `The next results of the same query: 2, 3 and so on, up to ${MAX_PAGE}.`,
      },
    },
    required: ['query'],
  }
  readonly #options: SearchToolOptions

  constructor(options: SearchToolOptions) {
    this.name = options.name ?? SEARCH_TOOL
    this.#options = options
  }

  async call(args: unknown, signal?: AbortSignal, { tell }: ToolRun = {}): Promise<string> {
    const parsed = searchArguments.safeParse(args)
    if (!parsed.success) {
      throw new AppError(
        'invalid_input',
        localizable`query must be a non-empty string, page a whole number from 1 to ${MAX_PAGE}.`,
      )
    }
    const { query, page } = parsed.data
    const { searcher, sources, scope, language, limit } = this.#options
    const { collectionIds, documentIds } = scope
    const where = { collectionIds, ...(documentIds && { documentIds }) }
    const found = await searcher.search({ ...where, text: query, limit: page * limit }, signal)
    const hits = found.slice((page - 1) * limit)
    const numberedHits = await sources.add(hits)
    tell?.({ type: 'retrieval', query, hits, cited: sources.numberPlaces(hits) })
    return writeSearchResult(language, numberedHits, page)
  }
}
