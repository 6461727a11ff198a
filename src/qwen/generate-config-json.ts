import { z } from 'zod'
import type { ToolChoice } from '../agent/model.ts'
import type { GenerateConfig } from '../agent/models/generate-config.ts'
import { generateConfigSchema, renameConfigFields } from '../config/models.ts'
import { describeSchemaFault } from '../errors/schema-issue.ts'
import { AppError } from '../errors.ts'

const configSchema = generateConfigSchema.extend({ function_choice: z.string().min(1).optional() })

type ParsedConfig = { readonly config: GenerateConfig; readonly toolChoice?: ToolChoice }

/** Parses Qwen-Agent's `generate_cfg`. Throws `invalid_input` with the field. */
export function parseGenerateConfig(json: unknown): ParsedConfig {
  const parsed = configSchema.safeParse(json)
  if (!parsed.success) {
    const { field, what } = describeSchemaFault(parsed.error)
    throw new AppError('invalid_input', `generate_cfg${field ? `.${field}` : ''} ${what}.`)
  }
  const { function_choice: choice, ...fields } = parsed.data
  const config = Object.fromEntries(
    Object.entries(renameConfigFields(fields)).filter(([, value]) => value !== undefined),
  )
  if (choice === undefined) return { config }
  return { config, toolChoice: choice === 'auto' || choice === 'none' ? choice : { name: choice } }
}
