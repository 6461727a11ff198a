import type { ResponseFormat } from './generate-config.ts'
import { type AnySchema, checkedSchema } from './json-schema.ts'
import { parseJson5 } from './json5.ts'

/** What a text is read as, or what a model is told that missed. */
type ReadOutput = { readonly object: unknown } | { readonly problem: string }

/** An answer as data: how it is asked for, and how it is read. */
export type StructuredOutput = {
  readonly format: ResponseFormat
  readonly read: (text: string) => ReadOutput
}

/** Throws `invalid_input` for what is no schema. */
export function structuredOutput(given: AnySchema): StructuredOutput {
  const { schema, read } = checkedSchema(given, 'The outputSchema is')
  const check = (text: string): ReadOutput => {
    const result = read(jsonIn(text))
    if ('value' in result) return { object: result.value }
    const problems = result.problems.map(problem => problem.replace(/^arguments: /, '')).join('; ')
    return {
      problem: `This does not fit the form that is asked for: ${problems}. Answer again, with the JSON only.`,
    }
  }
  return { format: { type: 'json_schema', name: 'answer', schema }, read: check }
}

/** Models like to put their JSON into a code fence. */
function jsonIn(text: string): unknown {
  const bare = text.trim().replace(/^```(?:json5?)?\s*|\s*```$/g, '')
  try {
    return parseJson5(bare)
  } catch {
    return undefined // which fits no schema
  }
}
