import type { Settings } from '../config.ts'
import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'

/** Throws `invalid_input` with the existing numbers. */
export function findSkill(
  { conversations: { skills } }: Pick<Settings, 'conversations'>,
  id: number,
) {
  const skill = skills[String(id)]
  if (skill) return skill
  const choices = Object.entries(skills).map(([key, { name }]) => `${key} (${name})`)
  const there =
    choices.length > 0 ? `There are: ${choices.join(', ')}.` : 'conversations.skills names none.'
  throw new AppError('invalid_input', localizable`There is no skill ${id}. ${there}`)
}
