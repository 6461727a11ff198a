/** Commands of this program and of package managers, as messages name them. */
const COMMAND = /\b(?:passim|npm|npx|apt) +[a-z]/

/**
 * Leaves out the clauses that name a command: messages are written for whoever runs the program, and a model might run the command.
 * Only for messages of our own, never for text of documents.
 */
export function omitCommands(message: string): string {
  const clauses = message.split(/(?<=[.;:!?])\s+/)
  const kept = clauses.filter(clause => !COMMAND.test(clause)).join(' ')
  return kept.replace(/[;:,]$/, '.') || OPERATOR
}

const OPERATOR = 'Whoever runs this service can see what to do.'

type Warned = { readonly warnings?: readonly { readonly code: string; readonly message: string }[] }

/** Leaves commands out of the warnings of a result. */
export function omitCommandsOfWarnings<Result extends Warned>(result: Result): Result {
  if (!result.warnings) return result
  const warnings = result.warnings.map(warning => ({
    ...warning,
    message: omitCommands(warning.message),
  }))
  return { ...result, warnings }
}
