import { translate } from '../../errors/chinese/translate.ts'
import { getMessages } from '../../errors/localizable.ts'
import { type ErrorCode, formatWithAdvice } from '../../errors.ts'
import type { TranslatableFailure, TranslatableWarning } from './translatable.ts'

const PROBLEMS: Readonly<Record<ErrorCode, string>> = {
  unsupported_format: '不支持这种格式',
  empty: '没有内容',
  no_text: '没有可读的文字',
  encrypted: '文件有密码保护',
  corrupt: '文件已损坏或格式不符',
  too_large: '超出大小限制',
  timeout: '等待超时',
  fetch_failed: '网页抓取失败',
  forbidden_source: '没有访问权限',
  not_found: '没有找到',
  conflict: '资源正被占用，或与已有内容冲突',
  invalid_input: '输入有误',
  unauthorized: '密钥缺失或无效',
  rate_limited: '请求过于频繁',
  model_unavailable: '模型不可用',
  model_unauthorized: '模型服务器拒绝了密钥',
  model_missing: '模型服务器上没有这个模型',
  model_refused: '模型服务器拒绝了请求',
  store_mismatch: '资料库与当前程序或设置不符',
  store_unavailable: '资料库暂时无法访问',
  disk_full: '磁盘空间不足',
  cancelled: '已停止',
  internal: '程序内部出错',
}

const MISSING = { collection: '没有这个文档集', store: '没有资料库', model: '没有这个模型' }

/** 返回中文的句子及建议；没有译文时返回 undefined。 */
function describeInChinese(item: TranslatableWarning): string | undefined {
  const { message, advice } = getMessages(item)
  const chinese = translate(message)
  if (chinese === undefined || advice === undefined) return chinese
  return chinese + (translate(advice) ?? ` ${advice}`)
}

/** 没有译文的错误，先用中文说明出了什么问题，再附上英文详情。 */
export function describeFailure(failure: TranslatableFailure): string {
  const { code, subject } = failure
  const chinese = describeInChinese(failure)
  if (chinese !== undefined) return `${chinese}（${code}）`
  const problem = code === 'not_found' && subject ? MISSING[subject] : PROBLEMS[code]
  return `${problem}（${code}）：${formatWithAdvice(failure)}`
}

export function describeWarning(warning: TranslatableWarning): string {
  return describeInChinese(warning) ?? formatWithAdvice(warning)
}

export function translateMessage(item: TranslatableWarning): string {
  return translate(getMessages(item).message) ?? item.message
}
