import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { Hit, Searcher } from '../../search/searcher.ts'
import type { AskRequest } from '../answer.ts'
import { replyLanguage } from '../language.ts'
import type { ParametersSchema } from '../model.ts'
import { searchResult } from '../prompts.ts'
import type { Sources } from '../sources.ts'
import type { Tool } from '../tool.ts'

const searchArguments = z.object({ query: z.string().trim().min(1) })

const NAME = 'search'

/** Ours makes way for a tool of the caller's that has its name. */
export function searchToolName(taken: readonly { readonly name: string }[] = []): string {
  let name = NAME
  for (let number = 2; taken.some(tool => tool.name === name); number++) name = `${NAME}_${number}`
  return name
}

export type SearchToolOptions = {
  readonly name?: string
  readonly searcher: Searcher
  /** What is found joins the citable sources. */
  readonly sources: Sources
  /** The model chooses the words, never the place: it searches where the question may. */
  readonly scope: Pick<AskRequest, 'collectionIds' | 'documentIds' | 'question'>
  readonly limit: number
  readonly onSearch?: (query: string, hits: readonly Hit[]) => void
}

/** Lets the model search the documents again, in words of its own. */
export class SearchTool implements Tool {
  readonly name: string
  readonly description =
    "Search the user's documents. Returns numbered passages to cite. Use it when the sources at hand do not answer the question."
  readonly parameters: ParametersSchema = {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What to look for: a few words or a question, in any language.' },
    },
    required: ['query'],
  }
  readonly #options: SearchToolOptions

  constructor(options: SearchToolOptions) {
    this.name = options.name ?? NAME
    this.#options = options
  }

  async call(args: unknown, signal?: AbortSignal): Promise<string> {
    const parsed = searchArguments.safeParse(args)
    if (!parsed.success) throw new AppError('invalid_input', 'query must be a non-empty string.')
    const { searcher, sources, scope, limit, onSearch } = this.#options
    const { question, collectionIds, documentIds } = scope
    const where = { collectionIds, ...(documentIds && { documentIds }) }
    const hits = await searcher.search({ ...where, text: parsed.data.query, limit }, signal)
    onSearch?.(parsed.data.query, hits)
    return searchResult(replyLanguage(question), sources.add(hits))
  }
}
