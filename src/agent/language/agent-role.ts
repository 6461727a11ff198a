import { bareQuestion } from './bare-question.ts'

/** A role, a department or a body by the last word of what it is called. */
const ENGLISH_ROLE =
  'accountant|administrator|agency|agent|architect|assembly|assistant|association|auditor|authority|board|bookkeeper|buyer|captain|caretaker|cashier|ceo|cfo|chair|chairman|chairperson|chairwoman|chef|clerk|client|coach|commission|committee|company|contractor|controller|coordinator|council|counsel|court|cto|customer|dean|department|deputy|desk|director|division|doctor|driver|editor|employee|employer|engineer|foreman|government|governor|guardian|head|headmaster|hr|judge|landlord|lawyer|lead|leader|lessee|lessor|librarian|manager|management|mayor|mentor|minister|ministry|nurse|office|officer|operator|owner|parents?|partner|physician|president|principal|professor|reception|receptionist|sales|secretary|seller|shareholders?|staff|supervisor|supplier|surgeon|teacher|team|technician|tenant|treasurer|tutor|unit|vendor|warden'
const HAN_ROLE =
  '经理|主管|主任|总监|总裁|总工程师|董事长|[校院馆处科部局组队店厂站所会社班园船机]长|会计师?|出纳|秘书|专员|管理员|干事|助理|人员|职员|员工|老师|教师|导师|医生|医师|护士|律师|法官|书记|主席|董事|监事|保安|前台|供应商|承包商|客户|业主|物业|[甲乙丙]方|(?:出租|承租|委托|受托|发包|承包|买|卖)方|(?:董事|监事|理事|股东|委员|职代)会|[工协学]会|部门|办公室|(?:办事|管理|总务|教务)处|中心|小组|公司|集团|银行|法院|医院|学院|机关|机构|政府|[\\p{Script=Han}]{2}部(?![分件署位])|[\\p{Script=Han}]{2}[局厅]'
/** Roles named by what somebody does say who it is where something is done, and not where one asks who they are. */
const HAN_OFFICE = '负责人|代表人|代理人|经办人'

const WORDS = String.raw`(?:(?!(?:of|for|in|by|at|to|on|from|and|with|who|that|is|are|was|were)\s)[\p{L}-]{1,30}\s){0,4}?`
const ENGLISH_AGENT = new RegExp(
  String.raw`(?:\bby\s(?:the\s|an?\s|our\s|its\s|your\s|their\s|each\s)?|(?:^|[.;:!?\n]\s{0,3}|[-•*]\s)(?:the\s|an?\s|our\s|its\s|your\s|each\s|all\s)?)${WORDS}(?<role>${ENGLISH_ROLE})s?\b(?!['’-])(?:\s\p{Ll}|\s?[.,;:|)\n]|\s?$)`,
  'iu',
)
const HAN_AGENT = new RegExp(
  String.raw`(?:[由经归交]|(?:^|[，。；：！？、,;:|\n])\s{0,3})\p{Script=Han}{0,10}?(?<role>${HAN_ROLE}|${HAN_OFFICE})`,
  'u',
)
const ENGLISH_IDENTITY = new RegExp(
  String.raw`^[^.;\n]{0,40}?(?:\b(?:is|are|was|were)\s|[:|]\s?)(?:the\s|an?\s|our\s|its\s|your\s)?${WORDS}(?<role>${ENGLISH_ROLE})s?\b(?!['’-])`,
  'iu',
)
const HAN_IDENTITY = new RegExp(
  String.raw`^\s?(?:一职)?(?:[为是：:|]\s?|由(?=.{1,20}[担兼]任))\p{Script=Han}{0,10}?(?<role>${HAN_ROLE})(?=\s?(?:$|[，。；、,.;|\n（(]|[担兼]任))`,
  'u',
)

const ENGLISH_ASKED =
  /^who(?:['’]s|\s+(?:is|was|are|were))\s+(?:the|our|your)\s+(?<asked>[\p{L}-]+(?:\s+(?!of\b|for\b|in\b|at\b|on\b|who\b|that\b|responsible\b)[\p{L}-]+){0,3})/iu
const HAN_ASKED = /谁是(?:.{0,80}的)?(?<asked>\p{Script=Han}{1,12})$|(?<told>\p{Script=Han}{1,12})是谁$/u
const ANYBODY = /^(?:person|one|man|woman|people|persons|guy|人|人员)$/iu
/** What somebody does, and what they are not called by: the owner of a process may be a department that owns it. */
const DOER = 'owner|operator|supplier|seller|buyer|vendor|editor|auditor|employer|supervisor|leader'
const TITLE = new RegExp(`^(?!(?:${DOER})s?$)(?:${ENGLISH_ROLE})s?$|(?:${HAN_ROLE})$`, 'iu')

const SUBJECT =
  /(?:^|[.!?:]\s|\n)(?<name>(?!(?:The|This|That|These|It|He|She|There|Who|What|Here|One|Each|Nobody|Everyone)\s)\p{Lu}\p{Ll}{1,30})\s(?:is|was)\s(?:the|our|an?)\s(?<role>[^.;\n]{1,80})/gu

/**
 * The text says that a role, a department or a body does what the question asks of. Where the question asks who has a
 * title, or the text repeats its word, only what is said to be one with it counts: `the landlord is the city council`.
 */
export function namesRole(text: string, question: string): boolean {
  const asked = askedRole(question)
  const read = text.slice(0, MAX_TEXT)
  const told = read.toLowerCase()
  if (asked === undefined || !(TITLE.test(asked) || told.includes(asked))) return hasRole(read)
  return identifies(read, told, asked)
}

/** Of a longer text the beginning is read, in characters. */
const MAX_TEXT = 20_000

function hasRole(text: string): boolean {
  return ENGLISH_AGENT.test(text) || HAN_AGENT.test(text)
}

function identifies(text: string, told: string, asked: string): boolean {
  const subjects = [...text.matchAll(SUBJECT)].map(({ groups }) => groups?.role?.toLowerCase() ?? '')
  if (subjects.some(role => role.includes(asked) && !/^s?['’]/.test(role.slice(role.indexOf(asked) + asked.length))))
    return true
  const at = told.indexOf(asked)
  if (at < 0) return false
  const after = text.slice(at + asked.length, at + asked.length + MAX_IDENTITY)
  return [ENGLISH_IDENTITY, HAN_IDENTITY].some(identity => isOther(identity.exec(after)?.groups?.role, asked))
}

const MAX_IDENTITY = 200

function isOther(role: string | undefined, asked: string): boolean {
  return role !== undefined && !asked.endsWith(role.toLowerCase())
}

/** The last word of what is asked for in English, the whole of it in Chinese; undefined where anybody is asked for. */
function askedRole(question: string): string | undefined {
  const bare = bareQuestion(question) ?? ''
  const groups = (ENGLISH_ASKED.exec(bare) ?? HAN_ASKED.exec(bare))?.groups
  const role = groups?.asked?.split(/\s+/).at(-1) ?? groups?.told?.split('的').at(-1)
  const generic = ENGLISH_ASKED.exec(bare)?.groups?.asked?.split(/\s+/)[0] ?? role
  return !role || ANYBODY.test(generic ?? '') ? undefined : role.toLowerCase()
}
