import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Settings } from '../../config.ts'
import type { ConversationHooks } from '../../conversations/hooks.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError, getReason } from '../../errors.ts'

/** Throws `invalid_input` if the configured module is unusable. */
export async function openHooks({ home, conversations }: Settings): Promise<ConversationHooks> {
  if (conversations.hooks === undefined) return {}
  const file = path.resolve(home, conversations.hooks)
  const { check, charge } = await importModule(file)
  for (const hook of [check, charge]) {
    if (hook === undefined || typeof hook === 'function') continue
    throw new AppError(
      'invalid_input',
      localizable`${file} (conversations.hooks): check and charge have to be functions.`,
    )
  }
  return { ...(check && { check }), ...(charge && { charge }) }
}

async function importModule(file: string): Promise<Partial<Required<ConversationHooks>>> {
  try {
    return await import(pathToFileURL(file).href)
  } catch (error) {
    const message = localizable`The module ${file} (conversations.hooks) cannot be loaded: ${getReason(error)}.`
    throw new AppError('invalid_input', message, { cause: error })
  }
}
