import type { ErrorTypeJson } from '../../wire/error.ts'

export type ParameterFault =
  | 'missing_required_parameter'
  | 'unknown_parameter'
  | 'unsupported_parameter'
  | 'invalid_type'
  | 'model_not_found'

type Described = {
  readonly status: number
  readonly code: string
  readonly param: string | null
  readonly fault?: ParameterFault
}

/** OpenAI's names. It sends `null` for the others, which keep Passim's code. */
const CODES: Readonly<Record<string, string>> = {
  unauthorized: 'invalid_api_key',
  unsupported: 'unsupported_parameter',
  method_not_allowed: 'method_not_supported',
  rate_limited: 'rate_limit_exceeded',
  internal: 'server_error',
}

const PARAMETER_CODES: Readonly<Record<string, readonly string[]>> = {
  invalid_input: [
    'invalid_value',
    'missing_required_parameter',
    'unknown_parameter',
    'invalid_type',
    'invalid_input',
  ],
  not_found: ['model_not_found', 'not_found'],
}

export function listOpenAICodes(code: string): readonly string[] {
  return PARAMETER_CODES[code] ?? [CODES[code] ?? code]
}

export function isOpenAIPath(path: string): boolean {
  return path.startsWith('/v1/')
}

export function getOpenAICode({ code, param, fault }: Described): string {
  if (fault !== undefined) return fault
  if (code === 'invalid_input' && param !== null) return 'invalid_value'
  return CODES[code] ?? code
}

/** States which limit was reached: only requests are counted here. */
export function getOpenAIType({ status }: Pick<Described, 'status'>): ErrorTypeJson {
  if (status === 429) return 'requests'
  return getErrorType(status)
}

export function getErrorType(status: number): ErrorTypeJson {
  return status < 500 ? 'invalid_request_error' : 'server_error'
}
