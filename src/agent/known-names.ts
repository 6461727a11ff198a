import { AppError } from '../errors.ts'

/** Throws `invalid_input` for an unknown option, because callers may lack types. */
export function requireKnownNames(
  call: string,
  options: object,
  names: Readonly<Record<string, true>>,
  advice = '',
): void {
  const existingNames = `There are: ${Object.keys(names).join(', ')}.`
  if (typeof options !== 'object' || options === null) {
    throw new AppError('invalid_input', `${call} takes its options as one object. ${existingNames}`)
  }
  const unknownName = Object.keys(options).find(name => !Object.hasOwn(names, name))
  if (unknownName === undefined) return
  throw new AppError(
    'invalid_input',
    `${call} has no option ${unknownName}. ${existingNames}${advice && ` ${advice}`}`,
  )
}
