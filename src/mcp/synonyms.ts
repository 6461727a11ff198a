import { z } from 'zod'
import { DEFAULT_COLLECTION } from '../app/documents/scope.ts'
import { AppError } from '../errors.ts'
import { synonymsSchema } from '../wire/synonyms.ts'
import { type AddToServer, answer, explainFaults, type McpOptions, READ_ONLY } from './offer.ts'

const collection = z
  .string()
  .optional()
  .describe('Name or id of the collection. Default: the first one that is offered.')
const setSchema = z.object({
  text: z
    .string()
    .describe(
      'All synonyms, one group per line: terms with commas between them, or `a => b` for one direction (at most 2,000 groups of 20 terms). An empty text removes them.',
    ),
  collection,
})

/** Reading, and without `isReadOnly` replacing, the synonyms. */
export const addSynonyms: AddToServer = (server, passim, scope) => {
  server.registerTool(
    'get_synonyms',
    {
      title: 'Get synonyms',
      description: 'Get the synonyms that search adds to a query in a collection.',
      annotations: READ_ONLY,
      inputSchema: explainFaults(z.object({ collection })),
      outputSchema: synonymsSchema,
    },
    ({ collection }) =>
      answer(scope, async () => await passim.synonyms.get(selectCollection(scope, collection))),
  )
  if (scope.isReadOnly) return
  server.registerTool(
    'set_synonyms',
    {
      title: 'Set synonyms',
      description: 'Replace the synonyms that search adds to a query in a collection.',
      annotations: { ...READ_ONLY, readOnlyHint: false, destructiveHint: true },
      inputSchema: explainFaults(setSchema),
      outputSchema: synonymsSchema,
    },
    ({ text, collection }) =>
      answer(
        scope,
        async () => await passim.synonyms.set(text, selectCollection(scope, collection)),
      ),
  )
}

function selectCollection({ collections }: McpOptions, name: string | undefined): string {
  if (!collections) return name ?? DEFAULT_COLLECTION
  const [first = DEFAULT_COLLECTION] = collections
  if (name === undefined || collections.includes(name)) return name ?? first
  throw new AppError(
    'not_found',
    `There is no collection ${name} here. There are: ${collections.join(', ')}.`,
  )
}
