import { z } from 'zod'
import type { ToolChoice } from '../agent/model.ts'
import type { GenerateConfig } from '../agent/models/generate-config.ts'
import { describeSchemaFault } from '../errors/schema-issue.ts'
import { AppError } from '../errors.ts'

const configSchema = z.strictObject({
  temperature: z.number().min(0).optional(),
  top_p: z.number().min(0).max(1).optional(),
  max_tokens: z.int().min(1).optional(),
  max_input_tokens: z.int().min(0).optional(),
  max_retries: z.int().min(0).max(20).optional(),
  seed: z.int().optional(),
  stop: z.union([z.string(), z.array(z.string())]).optional(),
  function_choice: z.string().min(1).optional(),
  parallel_function_calls: z.boolean().optional(),
  thought_in_content: z.boolean().optional(),
  fncall_prompt_type: z.enum(['native', 'nous', 'qwen', 'react']).optional(),
  extra_body: z.record(z.string(), z.json()).optional(),
})

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
    Object.entries(toConfigFields(fields)).filter(([, value]) => value !== undefined),
  )
  if (choice === undefined) return { config }
  return { config, toolChoice: choice === 'auto' || choice === 'none' ? choice : { name: choice } }
}

function toConfigFields(fields: Omit<z.output<typeof configSchema>, 'function_choice'>) {
  return {
    temperature: fields.temperature,
    topP: fields.top_p,
    maxTokens: fields.max_tokens,
    maxInputTokens: fields.max_input_tokens,
    maxRetries: fields.max_retries,
    seed: fields.seed,
    stop: fields.stop === undefined ? undefined : [fields.stop].flat(),
    parallelFunctionCalls: fields.parallel_function_calls,
    thoughtInContent: fields.thought_in_content,
    functionCalling: fields.fncall_prompt_type,
    extraBody: fields.extra_body,
  }
}
